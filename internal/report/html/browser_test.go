package html_test

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	pack "github.com/validationtool/validationtool/internal/dev/testkit"
	"github.com/validationtool/validationtool/internal/finding"
)

// harness is what the browser evaluates: it opens pages in frames, one after the other, does something
// in each as a user would, and gives what it saw. What STEPS are is an array of [address, function of
// the frame's window and document, width, "light" or "dark"]; the last two may be missing. The
// function may be asynchronous.
const harness = `(async () => {
if (document.readyState !== "complete") await new Promise(done => addEventListener("load", done));
const seen = [];
const click = e => e.click(), shown = d => [...d.querySelectorAll(".e")].filter(e => !e.hidden);
const chips = d => Object.fromEntries([...d.querySelectorAll(".chip")].map(c => [c.dataset.class, Number(c.querySelector("b").textContent)]));
const key = (d, k) => (d.activeElement || d.body).dispatchEvent(new KeyboardEvent("keydown", {key: k, bubbles: true}));
const type = (d, text) => { const q = d.getElementById("q"); q.value = text; q.dispatchEvent(new Event("change")); };
for (const [address, look, width = 1200, scheme = "light"] of [STEPS]) {
  const f = document.createElement("iframe");
  f.width = width; f.height = 900; f.style.colorScheme = scheme; f.src = address;
  await new Promise(done => { f.onload = done; document.body.append(f); });
  const w = f.contentWindow;
  let out;
  try { out = await look(w, w.document); } catch (e) { out = {fault: String(e)}; }
  out.loaded = w.performance.getEntriesByType("resource").map(r => r.name);
  seen.push(out);
  f.remove();
}
return seen;
})()`

// browser is a Chromium with one page. It ends when its pipe is closed.
type browser struct {
	once         sync.Once
	err          error // why it did not start
	name         string
	dir, session string
	process      *exec.Cmd
	in           *os.File
	out          *bufio.Reader
	calls        int
	console      []string // what it told since the last look
}

// theBrowser is one for all tests, because a start takes longer than most of them.
var theBrowser browser

func TestMain(m *testing.M) {
	code := m.Run()
	if b := &theBrowser; b.process != nil {
		b.in.Close()
		_ = b.process.Wait()
		os.RemoveAll(b.dir)
	}
	os.Exit(code)
}

// start starts Chromium, if there is one, and opens a page.
func (b *browser) start() error {
	for _, one := range []string{"chromium", "chromium-browser", "google-chrome", "chrome"} {
		if found, err := exec.LookPath(one); err == nil && b.name == "" && runtime.GOOS != "windows" { // it has other pipes
			b.name = found
		}
	}
	if b.name == "" {
		return nil
	}
	theirIn, in, err1 := os.Pipe()
	out, theirOut, err2 := os.Pipe()
	dir, err3 := os.MkdirTemp("", "browser")
	at := filepath.Join(dir, "harness.html")
	if err := errors.Join(err1, err2, err3, os.WriteFile(at, []byte("<!doctype html><body>"), 0o600)); err != nil {
		return err
	}
	b.process = exec.Command(
		b.name,
		"--headless",
		"--no-sandbox",
		"--disable-gpu",
		"--disable-background-networking",
		"--allow-file-access-from-files",
		"--remote-debugging-pipe",
		"--user-data-dir="+filepath.Join(dir, "profile"),
	)
	b.process.ExtraFiles = []*os.File{theirIn, theirOut}
	b.dir, b.in, b.out = dir, in, bufio.NewReader(out)
	err := b.process.Start()
	theirIn.Close()
	theirOut.Close()
	var page struct{ TargetID, SessionID string }
	for _, step := range []struct{ method, params string }{
		{"Target.createTarget", `{"url": "about:blank"}`},
		{"Target.attachToTarget", `{"targetId": TARGET, "flatten": true}`},
		{"Runtime.enable", `{}`},
		{"Log.enable", `{}`},
		{"Page.navigate", `{"url": ` + quote(fileURL(at)) + `}`},
	} {
		if err == nil {
			err = b.call(step.method, strings.Replace(step.params, "TARGET", quote(page.TargetID), 1), &page)
			b.session = page.SessionID
		}
	}
	return err
}

// call lets the browser do something, and decodes the result.
func (b *browser) call(method, params string, result any) error {
	defer time.AfterFunc(2*time.Minute, func() { _ = b.process.Process.Kill() }).Stop()
	b.calls++
	message := fmt.Sprintf(`{"id": %d, "method": %q, "params": %s`, b.calls, method, params)
	if b.session != "" {
		message += `, "sessionId": ` + quote(b.session)
	}
	if _, err := b.in.WriteString(message + "}\x00"); err != nil {
		return err
	}
	for {
		text, err := b.out.ReadBytes(0)
		if err != nil {
			return fmt.Errorf("%s: %w", method, err)
		}
		text = bytes.TrimSuffix(text, []byte{0})
		var answer struct {
			ID            int
			Method        string
			Error, Result json.RawMessage
		}
		switch err := json.Unmarshal(text, &answer); {
		case err != nil:
			return err
		case slices.Contains([]string{"Runtime.consoleAPICalled", "Runtime.exceptionThrown", "Log.entryAdded"}, answer.Method):
			b.console = append(b.console, string(text))
		case answer.ID == b.calls && answer.Error != nil:
			return fmt.Errorf("%s: %s", method, answer.Error)
		case answer.ID == b.calls:
			return json.Unmarshal(answer.Result, result)
		}
	}
}

// seenBy runs the harness with steps in Chromium, and decodes what it saw into the pointers, one a
// step. The test ends where there is no Chromium.
func seenBy(t testing.TB, steps string, into ...any) {
	t.Helper()
	b := &theBrowser
	b.once.Do(func() { b.err = b.start() })
	if b.name == "" {
		t.Skip("there is no Chromium, so the page was not looked at in a browser")
	}
	if b.err != nil {
		t.Fatal(b.err)
	}
	b.console = nil
	var saw struct {
		Result           struct{ Value []json.RawMessage }
		ExceptionDetails json.RawMessage
	}
	expression := strings.Replace(harness, "STEPS", steps, 1)
	err := b.call("Runtime.evaluate", `{"awaitPromise": true, "returnByValue": true, "expression": `+quote(expression)+`}`, &saw)
	if all := saw.Result.Value; err != nil || saw.ExceptionDetails != nil || len(all) != len(into) {
		t.Fatalf("%v: %d steps of %d left: %s", err, len(all), len(into), saw.ExceptionDetails)
	}
	if len(b.console) > 0 {
		t.Errorf("the console has: %s", b.console)
	}
	for i, raw := range saw.Result.Value {
		var also struct {
			Fault  string
			Loaded []string
		}
		if err := json.Unmarshal(raw, &also); err != nil || also.Fault != "" || len(also.Loaded) > 0 {
			t.Fatalf("step %d: %v, fault %q, loads %q", i, err, also.Fault, also.Loaded)
		}
		if err := json.Unmarshal(raw, into[i]); err != nil {
			t.Fatal(err)
		}
	}
}

func fileURL(name string) string {
	return (&url.URL{Scheme: "file", Path: filepath.ToSlash(name)}).String()
}

// inFile writes a page to a file, and returns its address.
func inFile(t testing.TB, page string) string {
	t.Helper()
	return fileURL(filepath.Join(pack.Folder(t, map[string]string{"report.html": page}), "report.html"))
}

// quote is a text as JavaScript.
func quote(text string) string {
	out, err := json.Marshal(text)
	if err != nil {
		panic(err)
	}
	return string(out)
}

// TestInABrowser filters, expands, follows links and goes from entry to entry, and checks the
// numbers against the document.
func TestInABrowser(t *testing.T) {
	reference, input := configMaps(t, 60, 3)
	page, r := written(t, reference, input, "--fail-on", "drift,missing,unmatched")
	address := inFile(t, page)
	var last finding.Finding // of the group: the CR that stands last in it
	drifting := 0
	for f := range r.Runs[0].Findings(r.FailOn, nil) {
		if f.Class == finding.ClassDrift && string(f.Input) == `"same"` {
			last, drifting = f, drifting+1
		}
	}
	type counts struct {
		Shown int
		Chips map[string]int
		Hash  string
		Says  string
	}
	look := `return {shown: shown(d).length, chips: chips(d), hash: w.location.hash, says: d.getElementById("shown").textContent};`
	var whole, byText, byClass, fromFragment, back counts
	var linked struct {
		Open, Here, Hidden bool
		Text               string
	}
	var keyed struct {
		First, Second, Third, Focus string
		Open, All                   int
	}
	steps := []string{
		`(w, d) => {` + look + `}`,
		`(w, d) => { type(d, "Other-1 CM-1"); ` + look + `}`,
		`(w, d) => { click(d.querySelector("[data-class=missing]")); click(d.querySelector("[data-class=drift]")); ` + look + `}`,
		`(w, d) => {` + look + `}`,
		`(w, d) => { click(d.getElementById("reset")); ` + look + `}`,
		`(w, d) => { const e = d.getElementById(` + quote(
			last.Fingerprint,
		) + `); return {open: !!e.closest(".e").open && !!e.closest(".o").open, here: !!d.querySelector(".here"),
			hidden: e.closest(".e").hidden, text: e.parentElement.textContent}; }`,
		`(w, d) => { const at = () => d.activeElement.querySelector(".s").textContent; const out = {};
			key(d, "j"); out.first = at(); key(d, "j"); out.second = at(); key(d, "k"); out.third = at(); click(d.activeElement);
			out.open = d.querySelectorAll(".e[open]").length; key(d, "e"); out.all = d.querySelectorAll(".e[open]").length; key(d, "/"); out.focus = d.activeElement.id; return out; }`,
	}
	fragments := []string{
		"",
		"",
		"",
		"#q=other-5&class=drift&kind=ConfigMap&component=part%2Fcomponent",
		"#q=cm-7",
		"#" + last.Fingerprint,
		"",
	}
	var all []string
	for i, step := range steps {
		all = append(all, "["+quote(address+fragments[i])+", "+step+"]")
	}
	seenBy(t, strings.Join(all, ",\n"), &whole, &byText, &byClass, &fromFragment, &back, &linked, &keyed)
	figures := figuresOf(r)
	for class, n := range figures {
		if whole.Chips[class] != n || back.Chips[class] != n {
			t.Errorf(
				"%s: the page counts %d, after a reset %d, and the document %d",
				class,
				whole.Chips[class],
				back.Chips[class],
				n,
			)
		}
	}
	entries := len(r.Runs[0].Groups(finding.Grouping{}))
	if whole.Shown != entries || back.Shown != entries || back.Hash != "" {
		t.Errorf(
			"of %d entries %d are shown, and %d after a reset, which leaves %q",
			entries,
			whole.Shown,
			back.Shown,
			back.Hash,
		)
	}
	if wanted := strings.Count(page, "other-1"); byText.Shown == 0 || byText.Shown >= entries ||
		byText.Shown > wanted ||
		byText.Hash != "#q=Other-1%20CM-1" ||
		byText.Chips["drift"] != byText.Shown {
		t.Errorf("by text: %+v", byText)
	}
	if byClass.Hash != "#class=missing,drift" || byClass.Shown != entries ||
		byClass.Chips["drift"] != figures["drift"] {
		t.Errorf("by class: %+v", byClass)
	}
	if fromFragment.Shown == 0 || fromFragment.Shown >= entries || fromFragment.Chips["drift"] != fromFragment.Shown ||
		!strings.Contains(fromFragment.Says, " of ") {
		t.Errorf("from the fragment: %+v", fromFragment)
	}
	if !linked.Open || !linked.Here || linked.Hidden || !strings.Contains(linked.Text, last.Object.Name) ||
		drifting != 20 {
		t.Errorf("by a link to the last of %d: %+v", drifting, linked)
	}
	if keyed.First == keyed.Second || keyed.First != keyed.Third || keyed.Open != 1 || keyed.All != entries ||
		keyed.Focus != "q" {
		t.Errorf("by keys: %+v", keyed)
	}
}

// TestWordsFitInABrowser: the word that an entry begins with stands in one line, also the longest
// one.
func TestWordsFitInABrowser(t *testing.T) {
	reference, input := configMaps(t, 3, 3)
	page, _ := written(
		t,
		reference,
		input,
		filepath.Join(pack.Folder(t, map[string]string{"bad.yaml": "apiVersion: v1\nkind: [\n"}), "bad.yaml"),
	)
	var seen struct {
		Words  []string
		Higher []string
	}
	seenBy(
		t,
		`[`+quote(
			inFile(t, page),
		)+`, (w, d) => { const all = [...d.querySelectorAll(".e .w")]; return {words: all.map(e => e.textContent),
		higher: all.filter(e => e.offsetHeight > 1.5 * Math.min(...all.map(e => e.offsetHeight))).map(e => e.textContent)}; }]`,
		&seen,
	)
	if !slices.Contains(seen.Words, "UNREADABLE") || len(seen.Higher) > 0 {
		t.Errorf("of the words %q these take several lines: %q", seen.Words, seen.Higher)
	}
}

// TestHostileTextInABrowser: nothing of the input is executed or becomes an element.
func TestHostileTextInABrowser(t *testing.T) {
	reference, input := hostileInput(t)
	page, _ := written(
		t, "--full", "-v", "--impact", filepath.Join(filepath.Dir(input), "impact.yaml"), reference, input,
	)
	var seen struct {
		Title, Text            string
		Scripts, Images, Bolds int
		Links                  []string
	}
	seenBy(
		t,
		`[`+quote(
			inFile(t, page),
		)+`, (w, d) => { key(d, "e"); type(d, "<script>"); return {title: d.title, text: d.body.textContent, scripts: d.scripts.length,
		images: d.images.length, links: [...d.links].map(a => a.protocol)}; }]`,
		&seen,
	)
	if strings.Contains(seen.Title, "owned") && !strings.Contains(seen.Title, "<script>") || seen.Scripts != 1 ||
		seen.Images != 0 {
		t.Errorf("the page is titled %q, with %d scripts and %d images", seen.Title, seen.Scripts, seen.Images)
	}
	if !strings.Contains(seen.Text, `<img src=x onerror=alert(1)>{{.}}`) || !strings.Contains(seen.Text, "&lt;b&gt;") {
		t.Errorf("the text is not there as it is: %.2000s", seen.Text)
	}
	for _, protocol := range seen.Links {
		if protocol != "https:" && protocol != "file:" {
			t.Errorf("a link is of %q", protocol)
		}
	}
}

// TestClustersInABrowser: the table of clusters has the worst first, sorts by the column that is clicked, and has only the
// clusters that a filter leaves something of.
func TestClustersInABrowser(t *testing.T) {
	dir := pack.Folder(t, map[string]string{
		"ref/metadata.yaml": "parts: [{name: p, components: [{name: c, type: Optional, optionalTemplates: [{path: cm.yaml}]}]}]\n",
		"ref/cm.yaml":       "{apiVersion: v1, kind: ConfigMap, metadata: {name: '{{ .metadata.name }}'}, data: {mode: strict}}\n",
		"in/a/cm.yaml":      configMapOf("a", "strict"),
		"in/b/cm.yaml":      configMapOf("b", "loose", "lax"),
		"in/c/cm.yaml":      configMapOf("c", "loose", "off", "none"),
	})
	page, _ := written(t, filepath.Join(dir, "ref"), filepath.Join(dir, "in"))
	var seen struct{ First, Up, Down, Filtered, Sections, Back []string }
	seenBy(
		t,
		`[`+quote(inFile(t, page))+`, (w, d) => { const out = {}, head = d.querySelector("#clusters th:nth-child(3) button");
		const names = () => [...d.querySelectorAll("#clusters tbody tr")].filter(r => !r.hidden).map(r => r.cells[0].textContent);
		out.first = names(); click(head); out.up = names(); click(head); out.down = names();
		type(d, "lax"); out.filtered = names(); out.sections = [...d.querySelectorAll("section")].filter(s => !s.hidden).map(s => s.dataset.cluster);
		click(d.getElementById("reset")); out.back = names(); return out; }]`,
		&seen,
	)
	if got, want := fmt.Sprint(seen), "{[c b a] [a b c] [c b a] [b] [b] [c b a]}"; got != want {
		t.Errorf("first, up, down, filtered, sections, back: %s instead of %s", got, want)
	}
}

// TestALinkThatFiltersGoesToItsFindings: a link of the rows of clusters shows where the findings
// that it leaves begin, also far below; a filter that is typed moves nothing.
func TestALinkThatFiltersGoesToItsFindings(t *testing.T) {
	page := pagesToLookAt(t, "clusters")["clusters"]
	var linked, typed struct{ Top, Moved float64 }
	const at = `await new Promise(done => w.setTimeout(done, 50));
		const first = [...d.querySelectorAll("main > section")].find(e => !e.hidden); return {top: first.getBoundingClientRect().top, moved: w.scrollY}; }`
	seenBy(t, "["+quote(inFile(t, page))+`, async (w, d) => { click(d.querySelector("#alike a")); `+at+", 390], ["+
		quote(inFile(t, page))+`, async (w, d) => { type(d, "cluster:site-3"); `+at+", 390]", &linked, &typed)
	if linked.Moved == 0 || linked.Top > 450 || typed.Moved != 0 {
		t.Errorf("after a click %+v, after a word is typed %+v", linked, typed)
	}
}

// configMapOf is what a cluster of a name has: a ConfigMap for each mode.
func configMapOf(cluster string, modes ...string) string {
	all := "{apiVersion: config.openshift.io/v1, kind: Infrastructure, metadata: {name: cluster}, status: {infrastructureName: " +
		cluster + "}}\n"
	for i, mode := range modes {
		all += fmt.Sprintf(
			"---\n{apiVersion: v1, kind: ConfigMap, metadata: {name: cm-%d}, data: {mode: %s}}\n", i, mode,
		)
	}
	return all
}

// TestExtraContentStandsLast: of a CR what fails stands before what is extra.
func TestExtraContentStandsLast(t *testing.T) {
	dir := pack.Folder(t, map[string]string{
		"ref/metadata.yaml": "parts: [{name: p, components: [{name: c, type: Required, requiredTemplates: [{path: cm.yaml}]}]}]\n",
		"ref/cm.yaml":       "{apiVersion: v1, kind: ConfigMap, metadata: {name: a}, data: {mode: strict}}\n",
		"in.yaml":           "{apiVersion: v1, kind: ConfigMap, metadata: {name: a}, data: {also: x, mode: loose}}\n",
	})
	page, _ := written(t, filepath.Join(dir, "ref"), filepath.Join(dir, "in.yaml"))
	drift, extra := strings.Index(page, `<code><b>data.mode`), strings.Index(page, `<code><b>data.also`)
	if drift < 0 || extra < drift {
		t.Errorf("drift stands at %d and extra content at %d", drift, extra)
	}
}

// large is a page of some thousand CRs that drift, each in its own way.
func large(t testing.TB, thousands int) (string, *finding.Report) {
	reference, input := configMaps(t, 1100*thousands, 11) // of which a thousand each are like no other
	return written(t, reference, input)
}

// TestLargePageInABrowser: with a thousand entries, and with Whole ten thousand, the page stays
// small, and a filter finds what it should in any place of it.
func TestLargePageInABrowser(t *testing.T) {
	thousands := 1
	if pack.Whole() {
		thousands = 10
	}
	page, r := large(t, thousands)
	if len(page) > 1_850_000*thousands+500_000 {
		t.Errorf("the page has %d bytes", len(page))
	}
	var seen struct {
		Entries, One, All int
		Nodes             int
		Built             int // tables of lines, before and after an entry is opened
		Opened            int
		Chips             map[string]int
	}
	seenBy(
		t,
		`[`+quote(
			inFile(t, page),
		)+`, (w, d) => { const one = "cm-`+fmt.Sprint(1100*thousands-64)+`"; const out = {entries: shown(d).length, chips: chips(d), nodes: 0}, walk = d.createTreeWalker(d); while (walk.nextNode()) out.nodes++;
		out.built = d.querySelectorAll(".l").length; key(d, "j"); type(d, one); key(d, "e"); out.opened = d.querySelectorAll(".l").length; click(d.getElementById("reset")); const there = () => shown(d).filter(e => e.checkVisibility()).length;
		type(d, one); out.one = there(); click(d.getElementById("reset")); out.all = there(); return out; }]`,
		&seen,
	)
	if seen.Entries != 1000*thousands+1 || seen.Chips["drift"] != r.Runs[0].Summary.Differences.Drift || seen.One != 1 ||
		seen.All != seen.Entries {
		t.Errorf("%+v", seen)
	}
	if most := 14 * seen.Entries; seen.Nodes > most || seen.Built > 0 || seen.Opened != 1 {
		t.Errorf("what entries open to is built before: %d nodes of at most %d, %+v", seen.Nodes, most, seen)
	}
}

// BenchmarkFilter measures how long filters take in Chromium on a page of ten thousand entries: the
// first one right after the page is opened, then others. That should be less than 200 ms.
func BenchmarkFilter(b *testing.B) {
	page, _ := large(b, 10)
	address := inFile(b, page)
	for b.Loop() {
		var seen struct{ First, Again, Class, Reset float64 }
		seenBy(
			b,
			`[`+quote(
				address,
			)+`, (w, d) => { const out = {}, took = f => { const start = performance.now(); f(); d.body.offsetHeight; return performance.now() - start; };
			out.first = took(() => type(d, "other-77")); out.again = took(() => type(d, "cm-123")); out.reset = took(() => click(d.getElementById("reset")));
			out.class = took(() => click(d.querySelector("[data-class=drift]"))); return out; }]`,
			&seen,
		)
		b.ReportMetric(seen.First, "first-ms")
		b.ReportMetric(seen.Again, "again-ms")
		b.ReportMetric(seen.Class, "class-ms")
		b.ReportMetric(seen.Reset, "reset-ms")
	}
}
