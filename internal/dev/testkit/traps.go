package testkit

import (
	"strings"
)

// Trap is a YAML document that a careless scanner would misread.
type Trap struct {
	Name string
	Text string
	Want string // the objects' keys, joined by commas
}

const byteOrderMark = "\ufeff"

const trapHead = "apiVersion: v1\nkind: A\nmetadata:\n  name: a\n"

// Traps returns the traps for the tests of the readers.
func Traps() []Trap {
	return append(append(append(plainTraps(), scalarTraps()...), structureTraps()...), listTraps()...)
}

func plainTraps() []Trap {
	return []Trap{
		{"plain", trapHead, "v1_A_a"},
		{"with a marker", "---\n" + trapHead, "v1_A_a"},
		{"marker and comment", "--- # first\n" + trapHead, "v1_A_a"},
		{"comments before", "# one\n\n# kind: B\n" + trapHead, "v1_A_a"},
		{"end marker", trapHead + "...\n", "v1_A_a"},
		{"CRLF", strings.ReplaceAll(trapHead, "\n", "\r\n"), "v1_A_a"},
		{"lone CR", strings.ReplaceAll(trapHead, "\n", "\r") + "\n", "v1_A_a"},
		{"byte order mark", byteOrderMark + trapHead, "v1_A_a"},
		{"no final line break", strings.TrimSuffix(trapHead, "\n"), "v1_A_a"},
		{"namespace", "apiVersion: v1\nkind: A\nmetadata:\n  name: a\n  namespace: ns\n", "v1_A_ns_a"},
		{
			"keys in another order",
			"metadata:\n  namespace: ns\n  name: a\nkind: A\napiVersion: v1\n",
			"v1_A_ns_a",
		},
		{
			"comments at line ends",
			"apiVersion: v1 # kind: B\nkind: A\t# x\nmetadata: # y\n  name: a # z\n",
			"v1_A_a",
		},
		{"hash inside a name", "apiVersion: v1\nkind: A\nmetadata:\n  name: a#b\n", "v1_A_a#b"},
		{"colon inside a name", "apiVersion: v1\nkind: A\nmetadata:\n  name: system:a\n", "v1_A_system:a"},
		{"quoted values", "apiVersion: \"v1\"\nkind: 'A'\nmetadata:\n  name: \"a\"\n", "v1_A_a"},
		{"resource version", trapHead + "  resourceVersion: \"12\"\n  uid: 1-2\n", "v1_A_a"},
		{"resource version that is a number", trapHead + "  resourceVersion: 12\n", "v1_A_a"},
		{"empty quoted namespace", trapHead + "  namespace: \"\"\n", "v1_A_a"},
		{
			"comment less indented inside metadata",
			"apiVersion: v1\nkind: A\nmetadata:\n# here\n  name: a\n",
			"v1_A_a",
		},
		{"blank lines with spaces", "apiVersion: v1\n   \nkind: A\nmetadata:\n\n  name: a\n      \n", "v1_A_a"},
		{"metadata deeper indented", "apiVersion: v1\nkind: A\nmetadata:\n        name: a\n", "v1_A_a"},
		{"generateName only", "apiVersion: v1\nkind: A\nmetadata:\n  generateName: a-\n", "v1_A_"},
		{"metadata is an empty map", "apiVersion: v1\nkind: A\nmetadata: {}\n", "v1_A_"},
		{"metadata is null", "apiVersion: v1\nkind: A\nmetadata:\n", "v1_A_"},
		{"no metadata", "apiVersion: v1\nkind: A\n", "v1_A_"},
		{"key with similar beginning", trapHead + "kindred: B\nkind2: C\n", "v1_A_a"},
		{"indented document", "  apiVersion: v1\n  kind: A\n", "v1_A_"},
	}
}

func scalarTraps() []Trap {
	object := func(name string) string { return "apiVersion: v1\nkind: A\nmetadata:\n  name: " + name + "\n" }
	return []Trap{
		{"name is a boolean", object("yes"), "v1_A_yes"},
		{"name is a boolean of one letter", object("n"), "v1_A_n"},
		{"name is a number", object("123"), "v1_A_123"},
		{"name is octal", object("0777"), "v1_A_0777"},
		{"name is a float", object("1e3"), "v1_A_1e3"},
		{"name is null", object("null"), "v1_A_"},
		{"name is a tilde", object("~"), "v1_A_"},
		{"name is nothing", object(""), "v1_A_"},
		{"name is a date", object("2001-01-01"), "v1_A_2001-01-01"},
		{"name is a quoted number", object(`"123"`), "v1_A_123"},
		{"name with escape", object(`"a\u0062"`), "v1_A_ab"},
		{"name with doubled quote", object(`'a''b'`), "v1_A_a'b"},
		{"name with tag", object("!!str 123"), "v1_A_123"},
		{"name with anchor", object("&x a"), "v1_A_a"},
		{"name as literal block", object("|-\n    a"), "v1_A_a"},
		{"name on the next line", object("\n    a"), "v1_A_a"},
		{"name over two lines", object("a\n    b"), "v1_A_a b"},
		{"quoted name over two lines", object("\"a\n    b\""), "v1_A_a b"},
		{"name in braces", object("{{ .name }}"), ""},
		{"kind is a number", "apiVersion: v1\nkind: 1\n", ""},
		{"apiVersion is a number", "apiVersion: 1\nkind: A\n", ""},
		{
			"literal block that looks like keys",
			trapHead + "data:\n  x: |\n    kind: B\n  y: z\nkind2: |\n kind: C\n metadata:\n   name: d\n",
			"v1_A_a",
		},
		{"literal block with marker", trapHead + "data: |\n  x\n  ---\n  kind: B\n", "v1_A_a"},
		{"folded block with hash and quote", trapHead + "data: >-\n  \"kind: B\n  # x\n", "v1_A_a"},
		{"block with indentation indicator", trapHead + "data: |2+\n    kind: B\n  x\n\n", "v1_A_a"},
		{"block scalar in a list", trapHead + "args:\n- |\n  kind: B\n-  >\n  kind: C\n", "v1_A_a"},
		{"block scalar that begins empty", trapHead + "data: |\n\n\n  kind: B\n\nother: x\n", "v1_A_a"},
		{"block scalar below a dash and a key", trapHead + "x:\n- y: |\n    kind: B\n  z: 1\n", "v1_A_a"},
		{"double-quoted over lines at column 1", trapHead + "data: \"x\nkind: B\nmetadata: {}\n\"\n", "v1_A_a"},
		{"single-quoted over lines at column 1", trapHead + "data: 'x\nkind: B''s\n'\n", "v1_A_a"},
		{"quote inside plain", trapHead + "data: x \"y\nother: it's\n", "v1_A_a"},
		{"escaped quote", trapHead + "data: \"x\\\"\nkind: B\n\"\n", "v1_A_a"},
		{"plain over lines", trapHead + "data: x\n  kind is B\n   and more\n", "v1_A_a"},
		{"plain on the next line", trapHead + "data:\n   some text\n  and more\n", "v1_A_a"},
		{"plain continuation that looks like a list", trapHead + "data: x\n  - kind\n", "v1_A_a"},
		{"plain that begins with an indicator", trapHead + "data: :5000\nother: -x\n:key: ?y\n", "v1_A_a"},
		{"plain with colon and blank", "apiVersion: v1\nkind: A\nmetadata:\n  name: a: b\n", ""},
		{"quoted on the next line", trapHead + "data:\n  \"kind\n: B\"\n", "v1_A_a"},
	}
}

func structureTraps() []Trap {
	owner := "  ownerReferences:\n  - apiVersion: v1\n    kind: O\n    name: o\n    uid: u\n"
	return []Trap{
		{"name in ownerReferences", "apiVersion: v1\nkind: A\nmetadata:\n" + owner + "  name: a\n", "v1_A_a"},
		{
			"ownerReferences indented",
			"apiVersion: v1\nkind: A\nmetadata:\n  ownerReferences:\n    - kind: O\n      name: o\n  name: a\n",
			"v1_A_a",
		},
		{
			"owner that is not plain",
			"apiVersion: v1\nkind: A\nmetadata:\n  ownerReferences: [{kind: O, name: o}]\n  name: a\n",
			"v1_A_a",
		},
		{
			"name in labels",
			"apiVersion: v1\nkind: A\nmetadata:\n  labels:\n    name: b\n    namespace: c\n  name: a\n",
			"v1_A_a",
		},
		{
			"name in managedFields",
			"apiVersion: v1\nkind: A\nmetadata:\n  managedFields:\n  - fieldsV1:\n      f:metadata:\n        f:name: {}\n    name: b\n  name: a\n",
			"v1_A_a",
		},
		{
			"metadata in a template",
			"apiVersion: v1\nkind: A\nmetadata:\n  name: a\nspec:\n  template:\n    metadata:\n      name: b\n    kind: B\n",
			"v1_A_a",
		},
		{"duplicate kind", "kind: A\n" + trapHead, "v1_A_a"},
		{"another kind", "kind: B\n" + trapHead, ""},
		{"another apiVersion", "apiVersion: b/v1\n" + trapHead, ""},
		{"duplicate metadata", "metadata:\n  name: b\n" + trapHead, ""},
		{"duplicate name", "apiVersion: v1\nkind: A\nmetadata:\n  name: a\n  name: a\n", "v1_A_a"},
		{"another name", "apiVersion: v1\nkind: A\nmetadata:\n  name: b\n  name: a\n", ""},
		{"another namespace", "apiVersion: v1\nkind: A\nmetadata:\n  namespace: b\n  name: a\n  namespace: c\n", ""},
		{"quoted key", "apiVersion: v1\n\"kind\": A\nmetadata:\n  'name': a\n", "v1_A_a"},
		{"key with blank before the colon", "apiVersion: v1\nkind : A\nmetadata:\n  name: a\n", "v1_A_a"},
		{"explicit key", "apiVersion: v1\n? kind\n: A\n", "v1_A_"},
		{"tagged key", "apiVersion: v1\n!!str kind: A\n", "v1_A_"},
		{"merge key", "apiVersion: v1\nx: &x\n  kind: A\n<<: *x\n", "v1_A_"},
		{"merge key with a block", "apiVersion: v1\n<<:\n  kind: A\n", "v1_A_"},
		{"merge key in metadata", "apiVersion: v1\nkind: A\nmetadata:\n  <<:\n    name: a\n", "v1_A_a"},
		{"flow metadata", "apiVersion: v1\nkind: A\nmetadata: {name: a, namespace: ns}\n", "v1_A_ns_a"},
		{
			"flow metadata over lines",
			"apiVersion: v1\nkind: A\nmetadata: {name: a,\nnamespace: ns}\n",
			"v1_A_ns_a",
		},
		{"flow value over lines at column 1", trapHead + "data: {x: y,\nkind: B}\n", "v1_A_a"},
		{"flow value with what could be a comment", trapHead + "data: {x: y, #\nkind: B}\n", "v1_A_a"},
		{"flow value that ends in a scalar", trapHead + "data: {x: '}\n  kind: B', y: \"}\"}\n", "v1_A_a"},
		{"flow value of JSON", trapHead + "data: [{\"x\":\"}\",\"y\":[1,true]}, 'it] ', a b]\n", "v1_A_a"},
		{"flow document", "{apiVersion: v1, kind: A, metadata: {name: a}}\n", "v1_A_a"},
		{
			"flow document over lines",
			"{apiVersion: v1,\n\"kind\":'A',\n  metadata: {name: a, ownerReferences: [{kind: B, uid: c}]}\n}\n\n",
			"v1_A_a",
		},
		{"flow document with more behind it", "{apiVersion: v1, kind: A, metadata: {name: a}}\n# b\n", "v1_A_a"},
		{
			"flow document with a name that is a number",
			"{apiVersion: v1, kind: A, metadata: {name: 1e3, namespace: ~}}\n",
			"v1_A_1e3",
		},
		{
			"flow document with a key twice",
			"{apiVersion: v1, kind: B, kind: B, metadata: {name: a}}\n",
			"v1_B_a",
		},
		{"flow document with another kind", "{apiVersion: v1, kind: A, kind: B, metadata: {name: a}}\n", ""},
		{
			"flow document with another name",
			"{apiVersion: v1, kind: A, metadata: {name: a}, metadata: {namespace: b}}\n",
			"",
		},
		{
			"flow document of two",
			"{apiVersion: v1, kind: A, metadata: {name: a}, apiVersion: v1, kind: B}\n",
			"",
		},
		{"flow document with an alias", "{apiVersion: &v v1, kind: A, metadata: {name: *v}}\n", "v1_A_v1"},
		{
			"flow List",
			"{apiVersion: v1, kind: List, items: [{apiVersion: v1, kind: A, metadata: {name: a}},\n{\"apiVersion\":\"v1\",\"kind\":\"B\"}, c]}\n",
			"v1_A_a,v1_B_",
		},
		{
			"flow list",
			"[{apiVersion: v1, kind: A}, {kind: BList, apiVersion: v1, items: [{metadata: {name: b}}]}]\n",
			"v1_A_,v1_B_b",
		},
		{"alias", trapHead + "x: &x 1\ny: *x\n", "v1_A_a"},
		{"tab indentation", "apiVersion: v1\nkind: A\nmetadata:\n\tname: a\n", ""},
		{"tab behind a colon", "apiVersion: v1\nkind:\tA\n", "v1_A_"},
		{"directive", "%YAML 1.1\n---\n" + trapHead, "v1_A_a"},
		{"content beside the marker", "--- !!map\n" + trapHead, "v1_A_a"},
		{"NEL as a line break", "apiVersion: v1\nx: y\u0085kind: A\n", "v1_A_"},
		{"NUL", trapHead + "\x00\x00\n", ""},
		{"no UTF-8", trapHead + "x: \xff\n", ""},
		{"control character", trapHead + "x: a\n" + "kind: B\x01\n", ""},
		{"braces", "apiVersion: v1\nkind: {{ .kind }}\nmetadata:\n  name: a\n", ""},
		{"encrypted", trapHead + "sops:\n  mac: x\n", ""},
		{"metadata is a list", "apiVersion: v1\nkind: A\nmetadata:\n- name: a\n", ""},
		{
			"subjects",
			"apiVersion: rbac/v1\nkind: RoleBinding\nmetadata:\n  name: a\nsubjects:\n- kind: ServiceAccount\n  name: s\n  namespace: ns\n- kind: User\n  apiGroup: x\n  name: u\n",
			"rbac/v1_RoleBinding_a",
		},
	}
}

func listTraps() []Trap {
	item := "- apiVersion: v1\n  kind: A\n  metadata:\n    name: a\n- apiVersion: v1\n  kind: B\n  metadata:\n    name: b\n"
	both := "v1_A_a,v1_B_b"
	return []Trap{
		{
			"what kubectl says between the items",
			"apiVersion: v1\nitems:\n- apiVersion: v1\n  kind: A\nerror: no such type\n- apiVersion: v1\n  kind: B\nkind: List\n",
			"v1_A_,v1_B_",
		},
		{
			"what kubectl says inside an item",
			"apiVersion: v1\nitems:\n- apiVersion: v1\nWarning: it is deprecated\n  kind: A\nkind: List\n",
			"v1_A_",
		},
		{
			"an item in which a list stands below a text",
			"apiVersion: v1\nitems:\n- apiVersion: v1\n  kind: A\n  x: y\n  - z\nkind: List\n",
			"",
		},
		{"a text over lines", trapHead + "data: b\n  c:d\n  e\n", "v1_A_a"},
		{
			"items before kind",
			"apiVersion: v1\nitems:\n" + item + "kind: List\nmetadata:\n  resourceVersion: \"\"\n",
			both,
		},
		{"items last", "apiVersion: v1\nkind: List\nitems:\n" + item, both},
		{
			"items indented",
			"apiVersion: v1\nitems:\n  " + strings.TrimSuffix(
				strings.ReplaceAll(item, "\n", "\n  "), "  ",
			) + "kind: List\n",
			both,
		},
		{"items null", "apiVersion: v1\nitems: null\nkind: AList\n", ""},
		{"items nothing", "apiVersion: v1\nitems:\nkind: AList\n", ""},
		{"items empty", "apiVersion: v1\nitems: []\nkind: AList\n", ""},
		{
			"items without kind",
			"apiVersion: v1\nitems:\n- metadata:\n    name: a\n- metadata:\n    name: b\nkind: AList\n",
			"v1_A_a,v1_A_b",
		},
		{"items without anything", "apiVersion: v1\nitems:\n- metadata:\n    name: a\nkind: List\n", ""},
		{
			"dashes with more blanks",
			"apiVersion: v1\nitems:\n-   apiVersion: v1\n    kind: A\n    metadata:\n      name: a\nkind: List\n",
			"v1_A_a",
		},
		{
			"dash alone on its line",
			"apiVersion: v1\nitems:\n-\n  apiVersion: v1\n  kind: A\nkind: List\n",
			"v1_A_",
		},
		{
			"comment behind the dash",
			"apiVersion: v1\nitems:\n- # x\n  apiVersion: v1\n  kind: A\nkind: List\n",
			"v1_A_",
		},
		{"flow items", "apiVersion: v1\nitems: [{apiVersion: v1, kind: A}]\nkind: List\n", "v1_A_"},
		{"flow item", "apiVersion: v1\nitems:\n- {apiVersion: v1, kind: A}\nkind: List\n", "v1_A_"},
		{
			"inner List",
			"apiVersion: v1\nitems:\n- apiVersion: v1\n  kind: List\n  items:\n  - apiVersion: v1\n    kind: A\n  - apiVersion: v1\n    kind: B\nkind: List\n",
			"v1_A_,v1_B_",
		},
		{
			"anchor in one item, alias in another",
			"apiVersion: v1\nitems:\n- apiVersion: v1\n  kind: A\n  x: &x 1\n- apiVersion: v1\n  kind: B\n  x: *x\nkind: List\n",
			"v1_A_,v1_B_",
		},
		{
			"comments between items",
			"apiVersion: v1\nitems:\n# 1\n- apiVersion: v1\n  kind: A\n# 2\n  # 3\n- apiVersion: v1\n  kind: B\n# 4\nkind: List\n",
			"v1_A_,v1_B_",
		},
		{
			"block scalar at the end of an item",
			"apiVersion: v1\nitems:\n- apiVersion: v1\n  data: |\n    x\n    - kind: C\n  kind: A\n- apiVersion: v1\n  kind: B\n  data: |\n    items:\n    - kind: D\nkind: List\n",
			"v1_A_,v1_B_",
		},
		{
			"list inside an item",
			"apiVersion: v1\nitems:\n- apiVersion: v1\n  args:\n  - kind\n  - - x\n    - kind: C\n  kind: A\nkind: List\n",
			"v1_A_",
		},
		{
			"kind does not end in List",
			"apiVersion: v1\nitems:\n- apiVersion: v1\n  kind: A\nkind: Box\n",
			"v1_Box_",
		},
		{"items is a map", "apiVersion: v1\nitems:\n  x: y\nkind: BoxList\n", ""},
		{"duplicate items", "apiVersion: v1\nitems: []\nkind: AList\nitems:\n- metadata: {}\n", "v1_A_"},
		{"document is a list", item, both},
		{"scalar item", "apiVersion: v1\nitems:\n- x\n- apiVersion: v1\n  kind: A\nkind: List\n", "v1_A_"},
		{"List without kind", "items:\n" + item, both},
	}
}
