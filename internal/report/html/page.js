"use strict";
(() => {
  const $ = id => document.getElementById(id);
  const facets = ["kind", "component", "impact", "change", "cluster"];
  const named = {lt: "<", gt: ">", amp: "&", quot: '"'};
  const noun = {kind: "kinds", component: "components", impact: "impacts", change: "changes", cluster: "clusters"};
  const chips = [...document.querySelectorAll(".chip")];
  const sections = [...document.querySelectorAll("main > section")];
  const entries = [...document.querySelectorAll(".e")].map(element => {
    const data = element.dataset, counts = new Map(), pairs = data.n.split(" ");
    for (let i = 0; i + 1 < pairs.length; i += 2) counts.set(pairs[i], Number(pairs[i + 1]));
    if (data.varying) counts.set("expected", Number(data.varying));
    const values = {kind: data.kind.split("\n"), component: [data.component], impact: [data.impact || ""], change: [data.change || ""], cluster: [element.closest("section").dataset.cluster]};
    return {element, counts, values, shown: true};
  });
  const table = $("clusters"), rows = table ? [...table.tBodies[0].rows] : [];
  const bundles = [...document.querySelectorAll(".g")];
  let state = empty(), pending = 0, at = null, summary = "", jumps = false;

  function empty() { return {q: "", classes: new Set(), kind: "", component: "", impact: "", change: "", cluster: ""}; }

  // The fragment is pairs of a name and a value, or the link to a finding.
  function read() {
    const wanted = empty();
    let link = "", any = false;
    for (const part of location.hash.slice(1).split("&")) {
      const i = part.indexOf("=");
      if (i < 0) { link = decode(part); continue; }
      const name = part.slice(0, i), value = decode(part.slice(i + 1));
      any = true;
      if (name === "class") value.split(",").forEach(one => choose(one, wanted));
      else if (name === "q") wanted.q = value;
      else if (facets.includes(name)) wanted[name] = only(name, value);
      else if (name === "name") wanted.q += " name:" + quoted(value);
    }
    wanted.q = wanted.q.trim();
    if (any || !link) state = wanted;
    return link;
  }

  // classOf is the class that a word of the text report or of a figure means, if there is one.
  function classOf(word) {
    const text = word.trim().toLowerCase(), words = ({class: one, word, single, many}) => [one, one.replaceAll("-", " "), word, single, many];
    const chip = chips.find(one => words(one.dataset).some(said => said.toLowerCase() === text));
    return chip ? chip.dataset.class : text === "expected" ? text : "";
  }

  function isChange(word) { return ["new", "changed"].includes(word.trim().toLowerCase()); }

  function choose(word, wanted) {
    if (isChange(word)) wanted.change = word.trim().toLowerCase();
    else wanted.classes.add(classOf(word) || word);
  }

  // fits reports whether a value is the wanted one, in any case; a component also by its last part.
  function fits(value, wanted) {
    const [one, other] = [value.toLowerCase(), wanted.toLowerCase()];
    return one === other || one.endsWith("/" + other);
  }

  // only is the value of the page that fits, if there is exactly one.
  function only(name, wanted) {
    const all = new Set(entries.flatMap(entry => entry.values[name]));
    if (all.has(wanted)) return wanted;
    const fitting = [...all].filter(value => fits(value, wanted));
    return fitting.length === 1 ? fitting[0] : wanted;
  }

  function quoted(text) { return /\s/.test(text) ? '"' + text + '"' : text; }

  function decode(text) { try { return decodeURIComponent(text); } catch { return text; } }

  function write() {
    const parts = [];
    if (state.q) parts.push("q=" + encodeURIComponent(state.q));
    if (state.classes.size) parts.push("class=" + [...state.classes].map(encodeURIComponent).join(","));
    for (const name of facets) if (state[name]) parts.push(name + "=" + encodeURIComponent(state[name]));
    const fragment = "#" + parts.join("&");
    if (fragment !== (location.hash || "#")) try { history.replaceState(null, "", fragment); } catch { location.replace(fragment); }
  }

  // What an entry says is read ahead, some entries at a time, as it takes longest of all that a filter does; and at last when somebody
  // filters by text.
  function text(entry) {
    if (entry.text === undefined) entry.text = plain(entry.element).toLowerCase();
    return entry.text;
  }

  // plain is the text of an entry, also of the part that is not built yet.
  function plain(element) {
    const rest = details(element);
    if (!rest) return element.textContent;
    const inner = rest.textContent.replace(/<[^>]*>/g, "").replace(/&(?:#(\d+)|(\w+));/g, (_, n, name) => n ? String.fromCodePoint(n) : named[name]);
    return element.firstElementChild.textContent + inner;
  }

  // What an entry opens to is text in a noscript element until it is opened: thousands of entries would be a million elements else.
  function details(element) { return element.lastElementChild.tagName === "NOSCRIPT" ? element.lastElementChild : null; }

  function build(element) {
    const rest = details(element);
    if (!rest) return;
    const parsed = document.createElement("template");
    parsed.innerHTML = rest.textContent;
    equip(parsed.content, element);
    rest.replaceWith(parsed.content);
  }

  // equip adds what copies: the place and the command of a CR, the path and the values of a finding, and texts like YAML.
  function equip(content, element) {
    const {full, why, root} = element.closest("section").dataset, {cr} = element.dataset, template = element.querySelector(".f > i");
    const command = cr && full ? full + " --cr " + cr : template && why ? why + " " + word(template.textContent) : "";
    const facts = content.querySelector(".facts");
    for (const label of facts.querySelectorAll("dt")) {
      const text = label.nextElementSibling;
      if (label.textContent === "file" && cr) text.append(" ", copier("path", (root || "") + text.textContent));
      if (label.textContent === "template") text.append(" ", copier("path", text.textContent));
    }
    if (command) facts.append(made("dt", "command"), made("dd", made("code", command), " ", copier("command", command)));
    for (const item of content.querySelectorAll(".i > li")) {
      const path = item.querySelector("code > b"), {path: aside, expected, found} = item.dataset;
      const all = [["path", path ? path.textContent : aside], ["expected", expected], ["found", found]].filter(([, text]) => text);
      const below = item.querySelector(".m"), buttons = [" ", ...all.map(([name, text]) => copier(name, text))];
      if (below) below.before(...buttons);
      else item.append(...buttons);
      item.querySelector("a").title = "link to this finding";
    }
    for (const text of content.querySelectorAll("pre")) text.before(copier("YAML", text.textContent));
  }

  // word quotes a word for a shell if it needs quotes.
  function word(text) { return /^[\w.\/:@%+=,-]+$/.test(text) ? text : "'" + text.replaceAll("'", "'\\''") + "'"; }

  function made(name, ...content) {
    const out = document.createElement(name);
    out.append(...content);
    return out;
  }

  // copier is a button that copies a text, and says so.
  function copier(name, text) {
    const button = made("button", name);
    button.type = "button";
    button.className = "copy";
    button.title = "copy: " + (text.length > 200 ? text.slice(0, 200) + "…" : text);
    button.setAttribute("aria-label", "copy " + name);
    button.addEventListener("click", async () => {
      const done = await copy(text);
      button.classList.toggle("done", done);
      $("shown").textContent = done ? "copied: " + name : "cannot copy: select the text, and press Ctrl+C";
      setTimeout(() => { button.classList.remove("done"); say(); }, 2500);
    });
    return button;
  }

  // copy puts a text on the clipboard, in the older way where a browser denies the newer one, as for some files.
  async function copy(text) {
    try {
      await navigator.clipboard.writeText(text);
      return true;
    } catch {
      const area = made("textarea", text), before = document.activeElement;
      area.className = "away";
      document.body.append(area);
      area.select();
      let done = false;
      try { done = document.execCommand("copy"); } catch { }
      area.remove();
      if (before) before.focus();
      return done;
    }
  }

  function open(element, wanted) {
    if (wanted) build(element);
    element.open = wanted;
  }

  // terms are the words of a filter by text: {field, text}. A filter that is a word of the text report means that class.
  function terms(q) {
    const all = q.trim().toLowerCase();
    if (classOf(all)) return [{field: "class", text: classOf(all)}];
    if (isChange(all)) return [{field: "change", text: all}];
    return [...all.matchAll(/(?:(kind|component|impact|change|cluster|name|class):)?(?:"([^"]+)"?|(\S+))/g)]
      .map(([, field, phrase, word]) => ({field, text: phrase || word}));
  }

  function meets(entry, {field, text: wanted}) {
    switch (field) {
    case undefined: return text(entry).includes(wanted);
    case "class": return isChange(wanted) ? entry.values.change[0] === wanted : entry.counts.has(classOf(wanted));
    case "name": return entry.element.querySelector(".s").textContent.toLowerCase().includes(wanted);
    }
    return entry.values[field].some(value => value.toLowerCase().includes(wanted));
  }

  // against is the one filter that an entry does not meet: "" for none, null for several. Each figure counts what its own filter would show.
  function against(entry, words) {
    const failed = facets.filter(name => state[name] && !entry.values[name].includes(state[name]) &&
      !(name !== "cluster" && entry.values[name].some(value => fits(value, state[name]))));
    if (state.classes.size && ![...state.classes].some(one => entry.counts.has(one))) failed.push("class");
    if (failed.length > 1 || !words.every(word => meets(entry, word))) return null;
    return failed.length ? failed[0] : "";
  }

  function add(counts, key, n) { counts.set(key, (counts.get(key) || 0) + n); }

  function apply() {
    const words = terms(state.q);
    const classes = new Map(), options = Object.fromEntries(facets.map(name => [name, new Map()]));
    const within = new Map(), of = new Map(); // how many entries of a bundle and of a cluster are shown
    let shown = 0;
    for (const entry of entries) {
      const failed = against(entry, words), show = failed === "";
      if (show !== entry.shown) entry.element.hidden = !(entry.shown = show);
      if (show) { shown++; add(within, entry.element.parentElement, 1); add(of, entry.values.cluster[0], 1); }
      if (show || failed === "class") for (const [name, n] of entry.counts) add(classes, name, n);
      for (const name of facets) if (show || failed === name) for (const value of entry.values[name]) add(options[name], value, 1);
    }
    for (const chip of chips) {
      chip.setAttribute("aria-pressed", state.classes.has(chip.dataset.class));
      const n = classes.get(chip.dataset.class) || 0;
      chip.firstElementChild.textContent = n;
      chip.lastChild.textContent = " " + (n === 1 ? chip.dataset.single : chip.dataset.many);
    }
    for (const bundle of bundles) {
      bundle.hidden = !within.has(bundle);
      bundle.style.setProperty("--shown", within.get(bundle) || 0);
    }
    for (const name of facets) fill($(name), name, options[name]);
    const some = facets.some(name => state[name]) || words.length || state.classes.size;
    for (const one of rows.length ? sections.concat(rows) : []) {
      const name = one.dataset.cluster;
      one.hidden = some && !of.has(name) && state.cluster !== name || state.cluster && state.cluster !== name;
    }
    if ($("q").value !== state.q) $("q").value = state.q;
    const all = entries.length + (entries.length === 1 ? " entry" : " entries");
    summary = shown === entries.length ? all : shown + " of " + all;
    say();
    document.body.classList.toggle("some", shown < entries.length);
    document.body.classList.toggle("few", shown <= 200);
  }

  function say() { $("shown").textContent = summary; }

  function fill(select, name, counts) {
    const all = [...counts.keys()].filter(Boolean).sort();
    if (state[name] && !all.includes(state[name])) all.unshift(state[name]);
    select.hidden = all.length < 2 && !state[name];
    select.replaceChildren(new Option("all " + noun[name], ""), ...all.map(value => new Option(counts.has(value) ? value + " (" + counts.get(value) + ")" : value, value)));
    select.value = state[name];
  }

  function change() {
    write();
    apply();
  }

  // reveal opens the entry of a finding and goes there, also where a filter hides it.
  function reveal(link) {
    const find = () => $(link) || (/^[0-9a-f]{32}$/.test(link) && document.querySelector('[id^="' + link + '."]'));
    if (!find()) entries.filter(one => holds(one.element, link)).forEach(one => build(one.element));
    const target = find();
    if (!target) return;
    const entry = entries.find(one => one.element.contains(target));
    if (entry && !entry.shown) { state = empty(); apply(); }
    for (let e = target.parentElement; e; e = e.parentElement) if (e.tagName === "DETAILS") e.open = true;
    document.querySelectorAll(".here").forEach(e => e.classList.remove("here"));
    const seen = target.tagName === "I" ? target.parentElement : target;
    seen.classList.add("here");
    if (entry) at = entry;
    seen.scrollIntoView({block: "center"});
  }

  // holds reports whether what an entry opens to, and is not built yet, has the finding of a link.
  function holds(element, link) {
    const rest = details(element);
    return rest && /^[0-9a-f]{32}[-.\d]*$/.test(link) && rest.textContent.includes(' id="' + link);
  }

  // sort orders the table of clusters by a column, and the other way round when that is chosen again.
  function sort(head) {
    const back = head.getAttribute("aria-sort") === "ascending", column = head.cellIndex, numbers = head.classList.contains("n");
    const value = row => { const cell = row.cells[column], text = cell.dataset.value || cell.textContent; return numbers || cell.dataset.value ? parseInt(text) : text; };
    const order = (a, b) => typeof a === "number" ? a - b : a.localeCompare(b, undefined, {numeric: true});
    rows.sort((a, b) => (back ? -1 : 1) * order(value(a), value(b)));
    for (const other of head.parentElement.cells) other.removeAttribute("aria-sort");
    head.setAttribute("aria-sort", back ? "descending" : "ascending");
    table.tBodies[0].append(...rows);
  }

  function step(by) {
    const shown = entries.filter(one => one.shown);
    if (!shown.length) return;
    const i = shown.indexOf(at);
    at = shown[i < 0 ? (by > 0 ? 0 : shown.length - 1) : Math.min(Math.max(i + by, 0), shown.length - 1)];
    at.element.firstElementChild.focus();
  }

  function openAll() {
    const shown = entries.filter(one => one.shown), wanted = shown.some(one => !one.element.open);
    shown.forEach(one => open(one.element, wanted));
    $("open").textContent = wanted ? "close all" : "open all";
  }

  function reset() { state = empty(); change(); }

  const keys = {"/": () => $("q").focus(), j: () => step(1), k: () => step(-1), e: openAll, Escape: reset, "?": () => $("words").showModal()};
  document.addEventListener("keydown", event => {
    if (event.ctrlKey || event.metaKey || event.altKey || $("words").open) return;
    const typing = event.target.matches && event.target.matches("input, select, textarea");
    if (typing && event.key === "Escape") event.target.blur();
    if (typing || !Object.hasOwn(keys, event.key)) return;
    event.preventDefault();
    keys[event.key]();
  });
  document.addEventListener("focusin", event => {
    const element = event.target.closest && event.target.closest(".e");
    if (element) at = entries.find(one => one.element === element) || at;
  });
  $("q").addEventListener("input", () => {
    state.q = $("q").value;
    clearTimeout(pending);
    pending = setTimeout(change, entries.length > 1000 ? 120 : 0);
  });
  $("q").addEventListener("change", () => {
    state.q = $("q").value;
    clearTimeout(pending);
    change();
  });
  for (const name of facets) $(name).addEventListener("change", () => { state[name] = $(name).value; change(); });
  for (const chip of chips) chip.addEventListener("click", () => {
    const name = chip.dataset.class;
    if (!state.classes.delete(name)) state.classes.add(name);
    change();
  });
  if (table) for (const head of table.tHead.rows[0].cells) head.addEventListener("click", () => sort(head));
  document.addEventListener("toggle", event => { if (event.target.matches(".e") && event.target.open) build(event.target); }, true);
  addEventListener("beforeprint", () => { if (document.body.classList.contains("few")) entries.forEach(one => one.shown && build(one.element)); });
  $("reset").addEventListener("click", reset);
  $("open").addEventListener("click", openAll);
  $("help").addEventListener("click", keys["?"]);
  $("close").addEventListener("click", () => $("words").close());
  // A link that filters shows where its findings begin.
  document.addEventListener("click", event => { jumps = Boolean(event.target.closest && event.target.closest("a")); });
  addEventListener("hashchange", () => {
    const link = read(), first = (apply(), entries.find(one => one.shown));
    if (link) reveal(link);
    else if (jumps && first) first.element.closest("section").scrollIntoView();
    jumps = false;
  });

  document.querySelectorAll(".tools").forEach(e => { e.hidden = false; });
  for (const text of document.querySelectorAll("main > section > .r pre")) text.before(copier("commands", text.textContent));
  const link = read();
  apply();
  let next = 0;
  const prepare = () => {
    for (const end = performance.now() + 8; next < entries.length && performance.now() < end;) text(entries[next++]);
    if (next < entries.length) setTimeout(prepare);
  };
  setTimeout(prepare);
  if (entries.length <= 5 && !link) entries.forEach(one => open(one.element, true));
  if (link) reveal(link);
})();
