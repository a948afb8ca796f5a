package html_test

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	pack "github.com/validationtool/validationtool/internal/dev/testkit"
)

// pagesToLookAt are pages of every sort: one cluster, a support archive, the same with all lines,
// clusters of which some are alike, and what a baseline and impact rules add; or only some of them.
func pagesToLookAt(t *testing.T, only ...string) map[string]string {
	t.Helper()
	fleet := map[string]string{
		"ref/metadata.yaml": "parts: [{name: p, components: [{name: c, type: Required, requiredTemplates: [{path: cm.yaml}, {path: gone.yaml}]}]}]\n",
		"ref/cm.yaml":       "{apiVersion: v1, kind: ConfigMap, metadata: {name: '{{ .metadata.name }}'}, data: {mode: strict}}\n",
		"ref/gone.yaml":     "{apiVersion: v1, kind: Secret, metadata: {name: gone, namespace: app}}\n",
	}
	for i := range 12 {
		modes := []string{"loose"}
		if i > 9 {
			modes = append(modes, fmt.Sprint("odd-", i))
		}
		fleet[fmt.Sprintf("in/%d.yaml", i)] = configMapOf(fmt.Sprint("site-", i), modes...)
	}
	fleet["impact.yaml"] = "default: review\nrules:\n- {impact: impacting, path: data, comment: It matters.}\n"
	dir := pack.Folder(t, fleet)
	all := map[string]string{}
	for name, args := range map[string][]string{
		"quickstart": {example("quickstart/reference"), example("quickstart/cluster")},
		"an archive": {example("ran-du/reference"), example("ran-du/must-gather.tar.gz")},
		"the whole":  {"--full", "-v", example("ran-du/reference"), example("ran-du/must-gather.tar.gz")},
		"clusters":   {"--impact", filepath.Join(dir, "impact.yaml"), filepath.Join(dir, "ref"), filepath.Join(dir, "in")},
	} {
		if only == nil || slices.Contains(only, name) {
			all[name], _ = written(t, args...)
		}
	}
	earlier := filepath.Join(t.TempDir(), "earlier.json")
	written(t, "-o", "json="+earlier, filepath.Join(dir, "ref"), filepath.Join(dir, "in/1.yaml"))
	all["a baseline"], _ = written(t, "--baseline", earlier, filepath.Join(dir, "ref"), filepath.Join(dir, "in/11.yaml"))
	return all
}

// TestAxeFindsNothing: axe-core, which looks for what keeps people from using a page, finds nothing
// on a page in light and dark, on a desk and on a phone, closed and open. AXE_CORE names its axe.min.js.
func TestAxeFindsNothing(t *testing.T) {
	if testing.Short() {
		t.Skip("it takes a minute")
	}
	axe, err := os.ReadFile(os.Getenv("AXE_CORE"))
	if err != nil {
		t.Skip("AXE_CORE does not name the axe.min.js of axe-core, so it did not look at the pages")
	}
	// A page allows no script but its own, and elements that are laid out only when they are seen have no contrast.
	policy := regexp.MustCompile(`<meta http-equiv="Content-Security-Policy"[^>]*>`)
	const rendered = "<style>.e, .g { content-visibility: visible !important }</style>"
	look := `async (w, d) => { const out = {found: [], passes: 0, dark: w.matchMedia("(prefers-color-scheme: dark)").matches, width: w.innerWidth};
		const ask = async when => { const r = await w.axe.run(d, {rules: {"target-size": {enabled: true}}, resultTypes: ["violations"]});
			out.passes = Math.max(out.passes, r.passes.length);
			for (const v of r.violations) out.found.push(when + ": " + v.id + ", " + v.help + ": " + v.nodes.slice(0, 3).map(n => n.html).join(" ")); };
		await ask("closed"); key(d, "e"); d.querySelectorAll("details").forEach(e => { e.open = true; }); await ask("open");
		key(d, "?"); await ask("words"); return out; }`
	for name, page := range pagesToLookAt(t) {
		page = policy.ReplaceAllString(page, "<script>"+strings.ReplaceAll(string(axe), "$", "$$")+"</script>"+rendered)
		address := inFile(t, page)
		t.Run(name, func(t *testing.T) {
			var seen [4]struct {
				Found         []string
				Dark          bool
				Width, Passes int
			}
			seenBy(t, strings.ReplaceAll(`[AT, 1200, "light"], [AT, 1200, "dark"], [AT, 390, "light"], [AT, 390, "dark"]`,
				"AT", quote(address)+", "+look), &seen[0], &seen[1], &seen[2], &seen[3])
			for i, one := range seen {
				if one.Dark != (i%2 == 1) || one.Width != []int{1200, 390}[i/2] || one.Passes < 30 {
					t.Errorf("axe looked at another page: %+v", one)
				}
				for _, found := range one.Found {
					t.Errorf("%d pixels wide, dark %t, %s", one.Width, one.Dark, found)
				}
			}
		})
	}
}

// TestWhatIsPressedIsLargeEnough: buttons, fields and links that stand alone are at least 24 pixels
// high, and 44 on a phone. Headings come in order, and no page is wider than a phone.
func TestWhatIsPressedIsLargeEnough(t *testing.T) {
	look := `(w, d) => { key(d, "e"); d.querySelectorAll("details").forEach(e => { e.open = true; });
		const least = w.innerWidth < 700 ? 44 : 24, out = {small: [], headings: [], wide: d.documentElement.scrollWidth > w.innerWidth};
		for (const e of d.querySelectorAll("button, input, select, summary, .t a, #alike a, .i li > a:first-child")) {
			const {width, height} = e.getBoundingClientRect();
			if (e.checkVisibility() && (height < least - 0.5 || width < 24)) out.small.push(Math.round(width) + " x " + Math.round(height) + ": " + e.outerHTML.slice(0, 120));
		}
		for (const e of d.querySelectorAll("header h1, main :is(h1, h2, h3, h4)")) out.headings.push(Number(e.tagName[1]));
		return out; }`
	for name, page := range pagesToLookAt(t) {
		address := inFile(t, page)
		var desk, phone struct {
			Small    []string
			Headings []int
			Wide     bool
		}
		seenBy(t, fmt.Sprintf("[%s, %s], [%[1]s, %[2]s, 390]", quote(address), look), &desk, &phone)
		if len(desk.Small)+len(phone.Small) > 0 || desk.Wide || phone.Wide {
			t.Errorf("%s: on a desk %q, on a phone %q are small; wider than the window: %t, %t", name, desk.Small, phone.Small, desk.Wide, phone.Wide)
		}
		level := 0
		for _, h := range desk.Headings {
			if h > level+1 {
				t.Errorf("%s: a heading of level %d follows one of level %d", name, h, level)
			}
			level = h
		}
		if len(desk.Headings) < 3 {
			t.Errorf("%s: it has the headings %v", name, desk.Headings)
		}
	}
}

// TestCopied: buttons copy the path and the values of a finding, the place of a CR, the command that
// shows it, and a missing CR; with the clipboard of the browser and, where there is none, as in earlier ones.
func TestCopied(t *testing.T) {
	dir := pack.Folder(t, map[string]string{
		"ref/metadata.yaml": "parts: [{name: p, components: [{name: c, type: Required, requiredTemplates: [{path: cm.yaml}, {path: gone.yaml}, {path: s.yaml}]}]}]\n",
		"ref/cm.yaml":       "{apiVersion: v1, kind: ConfigMap, metadata: {name: a b}, data: {mode: \"strict \\\"<b>\\\"\"}}\n",
		"ref/gone.yaml":     "{apiVersion: v1, kind: Service, metadata: {name: gone, namespace: app}, spec: {type: <any>}}\n",
		"ref/s.yaml":        "{apiVersion: v1, kind: Secret, metadata: {name: s}, data: {key: QQ==}}\n",
		"in/deep/cm.yaml":   "{apiVersion: v1, kind: ConfigMap, metadata: {name: a b}, data: {mode: {b: 1}}}\n",
		"in/deep/s.yaml":    "{apiVersion: v1, kind: Secret, metadata: {name: s}, data: {key: Qg==}}\n",
	})
	page, _ := written(t, filepath.Join(dir, "ref"), filepath.Join(dir, "in"))
	address := inFile(t, page)
	look := `async (w, d) => { key(d, "e"); const all = []; FAKE
		for (const b of d.querySelectorAll(".e .copy")) { click(b); await new Promise(done => w.setTimeout(done, 5)); }
		return {all, says: d.getElementById("shown").textContent, areas: d.querySelectorAll("textarea").length}; }`
	newer := strings.Replace(look, "FAKE",
		`Object.defineProperty(w.navigator, "clipboard", {value: {writeText: async text => { all.push(text); }}});`, 1)
	older := strings.Replace(look, "FAKE", `Object.defineProperty(w.navigator, "clipboard", {value: undefined});
		d.execCommand = name => { all.push(d.activeElement.value.slice(d.activeElement.selectionStart, d.activeElement.selectionEnd)); return name === "copy"; };`, 1)
	var new, old struct {
		All   []string
		Says  string
		Areas int
	}
	seenBy(t, "["+quote(address)+", "+newer+"], ["+quote(address)+", "+older+"]", &new, &old)
	in, ref := filepath.ToSlash(filepath.Join(dir, "in")), filepath.ToSlash(filepath.Join(dir, "ref"))
	for _, want := range []string{
		"data.mode", `strict "<b>"`, `{"b":1}`, "cm.yaml", in + "/deep/cm.yaml:1", "data.key",
		"validationTool --full " + ref + " " + in + " --cr 'ConfigMap/a b'", "validationTool explain-match " + ref + " " + in + " gone.yaml",
		"apiVersion: v1\nkind: Service\nmetadata:\n  name: gone\n  namespace: app\nspec:\n  type: <any>\n",
	} {
		if !slices.Contains(new.All, want) {
			t.Errorf("nothing copies %q, but %q", want, new.All)
		}
	}
	if !slices.Equal(new.All, old.All) || new.Says != old.Says || !strings.HasPrefix(new.Says, "copied: ") || new.Areas+old.Areas > 0 {
		t.Errorf("with the clipboard %+v, and without it %+v", new, old)
	}
	for _, text := range new.All {
		if strings.Contains(text, "hidden") {
			t.Errorf("what is hidden can be copied: %q", text)
		}
	}
}

// TestWordsOfTheTextReport: filters take the words that the text report prints, in the field and in
// the address.
func TestWordsOfTheTextReport(t *testing.T) {
	dir := pack.Folder(t, map[string]string{
		"ref/metadata.yaml": "parts:\n- {name: one, components: [{name: tuning, type: Required, requiredTemplates: [{path: cm.yaml}, {path: gone.yaml}]}]}\n" +
			"- {name: two, components: [{name: net, type: Optional, optionalTemplates: [{path: s.yaml}]}]}\n",
		"ref/cm.yaml":   "{apiVersion: v1, kind: ConfigMap, metadata: {name: cm}, data: {mode: strict, own: '{{ .data.own }}', gone: a}}\n",
		"ref/gone.yaml": "{apiVersion: v1, kind: Service, metadata: {name: cm-service}}\n",
		"ref/s.yaml":    "{apiVersion: v1, kind: ServiceAccount, metadata: {name: account}, automountServiceAccountToken: false}\n",
		"in/cm.yaml":    "{apiVersion: v1, kind: ConfigMap, metadata: {name: cm}, data: {mode: not found, own: x}}\n",
		"in/s.yaml":     "{apiVersion: v1, kind: ServiceAccount, metadata: {name: account}, automountServiceAccountToken: true}\n",
	})
	earlier := filepath.Join(t.TempDir(), "earlier.json")
	written(t, "-o", "json="+earlier, filepath.Join(dir, "ref"), filepath.Join(dir, "in/cm.yaml"))
	page, _ := written(t, "--baseline", earlier, filepath.Join(dir, "ref"), filepath.Join(dir, "in"))
	address := inFile(t, page)
	const cm, service, account = "ConfigMap cm", "Service cm-service", "ServiceAccount account"
	cases := []struct {
		fragment, typed string
		want            []string
	}{
		{"", "", []string{account, cm, service}},
		{"", "drift", []string{account, cm}},
		{"", "DRIFT", []string{account, cm}},
		{"", "missing", []string{cm}},
		{"", "NOT FOUND", []string{service}},
		{"", "missing fields", []string{cm}},
		{"", "not found?", nil},
		{"", "expected", []string{cm}},
		{"", "new", []string{account}},
		{"", `"not found" component:tuning class:drift`, []string{cm}},
		{"", "kind:service name:cm", []string{service}},
		{"", "name:cm", []string{cm, service}},
		{"", "component:two/net", []string{account}},
		{"#component=tuning", "", []string{cm, service}},
		{"#component=TUNING&class=not%20found", "", []string{service}},
		{"#class=missing,new", "", nil},
		{"#class=new", "", []string{account}},
		{"#class=expected", "", []string{cm}},
		{"#kind=configmap", "", []string{cm}},
		{"#name=cm-service", "", []string{service}},
	}
	var steps []string
	seen := make([]struct{ Shown []string }, len(cases))
	var into []any
	for i, c := range cases {
		steps = append(steps, fmt.Sprintf(`[%s, (w, d) => { if (%s) type(d, %[2]s); return {shown: shown(d).map(e => e.querySelector(".s").textContent)}; }]`,
			quote(address+c.fragment), quote(c.typed)))
		into = append(into, &seen[i])
	}
	seenBy(t, strings.Join(steps, ",\n"), into...)
	for i, c := range cases {
		if !slices.Equal(seen[i].Shown, c.want) {
			t.Errorf("%s %q shows %q instead of %q", c.fragment, c.typed, seen[i].Shown, c.want)
		}
	}
}

// TestKeysAndWordsInABrowser: ? opens a list of keys and words, in which other keys do nothing, and
// which a button and Escape close; the tabulator leaves each element of the page.
func TestKeysAndWordsInABrowser(t *testing.T) {
	page, _ := written(t, example("quickstart/reference"), example("quickstart/cluster"))
	var seen struct {
		Before, Opened, Closed, Button bool
		Trap                           bool // something keeps the tabulator
		Focus, Text, Back              string
		Filter                         string
	}
	seenBy(t, `[`+quote(inFile(t, page))+`, (w, d) => { const out = {}, list = d.getElementById("words"); out.before = list.open;
		type(d, "quota"); const help = d.getElementById("help"); help.focus(); key(d, "?"); out.opened = list.open; out.focus = d.activeElement.id; key(d, "/"); key(d, "Escape");
		out.filter = d.getElementById("q").value; out.text = list.textContent; click(d.getElementById("close")); out.closed = list.open; out.back = d.activeElement.id;
		click(help); out.button = list.open; out.trap = [...d.querySelectorAll("button, input, select, summary, a")].some(e => {
			const tab = new KeyboardEvent("keydown", {key: "Tab", bubbles: true, cancelable: true}); e.dispatchEvent(tab); return tab.defaultPrevented || e.tabIndex > 0; });
		return out; }]`, &seen)
	if seen.Trap || seen.Before || !seen.Opened || seen.Closed || !seen.Button || seen.Focus != "close" || seen.Back != "help" ||
		seen.Filter != "quota" {
		t.Errorf("the list of keys and words: %+v", seen)
	}
	for _, word := range []string{"NOT FOUND?", "REQUIRED", "RULE?", "+N", "expected", "NEW", "Esc"} {
		if !strings.Contains(seen.Text, word) {
			t.Errorf("the list does not explain %s", word)
		}
	}
}

// TestOneCRToCreateForAllClusters: a CR that is missing in several clusters stands once on the page,
// and the other clusters link to it.
func TestOneCRToCreateForAllClusters(t *testing.T) {
	page := pagesToLookAt(t, "clusters")["clusters"]
	links := regexp.MustCompile(`<div class="y"><p class="m"><a href="#([^"]+)">to create</a></div>`).FindAllStringSubmatch(page, -1)
	if n := strings.Count(page, "<pre>apiVersion: v1\nkind: Secret\n"); n != 1 || len(links) != 11 {
		t.Fatalf("the CR stands %d times on the page, and %d clusters link to it", n, len(links))
	}
	for _, link := range links {
		_, item, found := strings.Cut(page, `<li id="`+link[1]+`"`)
		if item, _, _ = strings.Cut(item, "<li "); !found || !strings.Contains(item, "kind: Secret") {
			t.Errorf("%s leads to %q", link[1], item)
		}
	}
}
