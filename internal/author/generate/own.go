package generate

import (
	"cmp"
	"crypto/x509"
	"encoding/base64"
	"encoding/pem"
	"maps"
	"regexp"
	"slices"
	"strings"
	"unicode"

	"github.com/validationtool/validationtool/internal/input/manifest"
	"github.com/validationtool/validationtool/internal/value/tree"
	"github.com/validationtool/validationtool/refconfig"
)

// Own is something that every cluster has of its own: clusters with the same configuration differ in
// it.
type Own struct {
	Name string // a word or two
	Why  string
}

// The names of the rows of Owns.
const (
	ownNames    = "names"
	ownRelease  = "release"
	ownNodes    = "nodes"
	ownKeys     = "certificates"
	ownHashes   = "hashes"
	ownTimes    = "times"
	ownAssigned = "assigned"
	ownSecrets  = "secrets" // no row: what the reference does not write
)

// Owns returns what clusters have of their own, in the order in which it is counted.
func Owns() []Own {
	return []Own{
		{ownNames, "the id, infrastructure name and domains of the cluster"},
		{ownRelease, "the version of its release, which CRs of the release repeat"},
		{ownNodes, "the names and addresses of its nodes"},
		{ownKeys, "certificates and public keys that it made for itself"},
		{ownHashes, "digests of the images of its release, and hashes and ids in annotations and generated names"},
		{ownTimes, "times in annotations"},
		{ownAssigned, "addresses, node ports, volumes, tokens and ranges of ids that it assigned"},
	}
}

// self has the names of one cluster. It turns a text into one that does not depend on the cluster.
type self struct {
	names   map[string]sort // by the name that is replaced
	finds   *regexp.Regexp  // finds any of the names, the longest first; nil if there is none
	inIDs   *regexp.Regexp  // finds those that are part of the names of objects, likewise
	install []string        // names that only the configuration of the installer is searched for
	cluster string          // the id of the cluster
	infra   string          // the infrastructure name
	version string
	kubelet string // the version of Kubernetes on its newest node
	domain  string // the base domain
	apps    string // the domain of applications
	image   string // of the release
	forms   []form
	// the CRs of the release that it leaves alone, with their groups in place of the versions
	unmanaged []manifest.ID
}

// sort is a sort of names, which has one placeholder: a name of another sort is no counterpart.
type sort struct{ own, what string }

// selfOf finds the names of a cluster in its objects.
func selfOf(objects []*manifest.Object) *self {
	s := namesIn(objects)
	s.prepare()
	return s
}

// selvesOf finds the names of two clusters in their objects. A name that both have is none of their own:
// if one of two nodes stands in the place of the other, somebody changed it. The same cluster at another
// time has its names, and at the same release its images.
func selvesOf(base, other []*manifest.Object) (*self, *self) {
	a, b := namesIn(base), namesIn(other)
	same := a.cluster != "" && a.cluster == b.cluster && a.infra == b.infra
	for name, of := range a.names {
		if _, both := b.names[name]; both {
			delete(a.names, name)
			delete(b.names, name)
		} else if same && of.own != ownRelease {
			delete(a.names, name)
		}
	}
	if same {
		maps.DeleteFunc(b.names, func(_ string, of sort) bool { return of.own != ownRelease })
		a.install, b.install = nil, nil
	}
	a.prepare()
	b.prepare()
	if same && a.version == b.version {
		isImage := func(f form) bool { return f.where == inRelease }
		a.forms, b.forms = slices.DeleteFunc(a.forms, isImage), slices.DeleteFunc(b.forms, isImage)
	}
	return a, b
}

// namesIn returns the names of a cluster, not yet prepared.
func namesIn(objects []*manifest.Object) *self {
	s := &self{names: map[string]sort{}}
	for _, o := range objects {
		if read := naming(o.ID); read != nil {
			if v, err := o.Decode(); err == nil {
				read(s, v)
			}
		}
	}
	if !strings.HasSuffix(s.apps, "."+s.domain) { // else the base domain is the name, and the rest a setting
		s.add(ownNames, "apps", s.apps)
	}
	return s
}

// prepare makes the expressions that find the names.
func (s *self) prepare() {
	s.finds = s.finder(func(string) bool { return true })
	s.inIDs = s.finder(func(own string) bool { return own != ownNodes })
	s.forms = s.allForms()
}

// finder returns the expression that finds the names of some rows, the longest first; nil if there is
// none.
func (s *self) finder(wanted func(own string) bool) *regexp.Regexp {
	var all []string
	for _, name := range slices.SortedFunc(maps.Keys(s.names), func(a, b string) int {
		return cmp.Or(cmp.Compare(len(b), len(a)), cmp.Compare(a, b))
	}) {
		if wanted(s.names[name].own) {
			all = append(all, regexp.QuoteMeta(name))
		}
	}
	if len(all) == 0 {
		return nil
	}
	return regexp.MustCompile(strings.Join(all, "|"))
}

// naming returns the function that reads names of the cluster from objects of an identity; nil if they
// have none.
func naming(id manifest.ID) func(*self, map[string]any) {
	switch group := id.Group(); {
	case group == "config.openshift.io" && id.Kind == "Infrastructure":
		return func(s *self, v map[string]any) {
			s.infra = tree.StringAt(v, "status", "infrastructureName")
			s.add(ownNames, "infrastructure", s.infra)
		}
	case group == "config.openshift.io" && id.Kind == "DNS":
		return func(s *self, v map[string]any) {
			s.domain = tree.StringAt(v, "spec", "baseDomain")
			s.add(ownNames, "domain", s.domain)
			if name, parent, ok := strings.Cut(s.domain, "."); ok {
				s.install = []string{name, parent}
			}
		}
	case group == "config.openshift.io" && id.Kind == "Ingress":
		return func(s *self, v map[string]any) { s.apps = tree.StringAt(v, "spec", "domain") }
	case group == "config.openshift.io" && id.Kind == "ClusterVersion":
		return func(s *self, v map[string]any) {
			s.readUnmanaged(v)
			s.cluster = tree.StringAt(v, "spec", "clusterID")
			s.add(ownNames, "id", s.cluster)
			s.version = tree.StringAt(v, "status", "desired", "version")
			s.add(ownRelease, "release", s.version)
			s.image = tree.StringAt(v, "status", "desired", "image")
		}
	case group == "" && id.Kind == "Node":
		return func(s *self, v map[string]any) {
			s.add(ownNodes, "node", tree.StringAt(v, "metadata", "name"))
			s.kubelet = max(s.kubelet, tree.StringAt(v, "status", "nodeInfo", "kubeletVersion"))
			status, _ := v["status"].(map[string]any)
			addresses, _ := status["addresses"].([]any)
			for _, a := range addresses {
				s.add(ownNodes, "node", tree.StringAt(a, "address"))
			}
		}
	}
	return nil
}

// add adds a name. A short one, or a word without a digit or a dot, may be a setting somewhere.
func (s *self) add(own, what, name string) {
	const shortest = 5
	if len(name) >= shortest && strings.ContainsAny(name, ".:0123456789") {
		s.names[name] = sort{own, what}
	}
}

// scope says which texts can be those of the cluster itself.
type scope struct {
	release    bool // the object belongs to the release of the cluster or to its operators
	users      bool // users write it, so that a generated name in it is a setting
	monitoring bool // an operator of monitoring made it, which gives Secrets generated names
	versions   bool // an operator made it, which notes there the versions of other objects
	signing    bool // it has the public keys of the cluster
	install    bool // it is the configuration of the installer
	bundle     bool // the object asks for a caBundle; of a text, that it is one
	annotation bool // the text is an annotation that operators of the release make
}

// below returns the scope of a field of an object.
func (in scope) below(at refconfig.FieldPath) scope {
	in.bundle = in.bundle && len(at) > 0 && at[len(at)-1].Key == "caBundle"
	i := slices.IndexFunc(at, func(s refconfig.Step) bool { return s.Key == "annotations" })
	if in.annotation = i >= 0 && i+1 < len(at); in.annotation {
		domain, _, _ := strings.Cut(at[i+1].Key, "/")
		in.annotation = domain == "olmcahash" || isWithin(domain, platformDomains())
	}
	return in
}

// platformDomains returns the domains of the names that Kubernetes and OpenShift give.
func platformDomains() []string {
	return []string{"openshift.io", "kubernetes.io", "k8s.io", "operatorframework.io", "coreos.com", "ovn.org"}
}

// isWithin reports whether a domain is one of some, or below one.
func isWithin(domain string, all []string) bool {
	return slices.ContainsFunc(all, func(of string) bool { return domain == of || strings.HasSuffix(domain, "."+of) })
}

// scopeOf returns the scope of the texts of an object. What users made keeps its digests and times.
func scopeOf(id manifest.ID) scope {
	in := id.Namespace
	if id.Kind == "Namespace" && id.Group() == "" {
		in = id.Name
	}
	ofRelease := isOfRelease(in)
	isMonitoring := in == "openshift-monitoring" || in == "openshift-user-workload-monitoring"
	isMap := ofRelease && id.Kind == "ConfigMap"
	ofUsers := in == "openshift-config" || isMonitoring && isMap && strings.HasSuffix(id.Name, "-monitoring-config")
	return scope{
		release:    in == "" || ofRelease,
		users:      ofUsers,
		monitoring: isMonitoring && !ofUsers,
		versions:   isMap && (in == "openshift-controller-manager" || in == "openshift-route-controller-manager"),
		signing:    isMap && in != "openshift-config" && strings.HasSuffix(id.Name, "sa-token-signing-certs"),
		install: id == manifest.ID{
			APIVersion: "v1", Kind: "ConfigMap", Namespace: "kube-system", Name: "cluster-config-v1",
		},
	}
}

// place is where texts of a form are found.
type place int

const (
	inRelease     place = iota // anywhere in objects of the release
	inGenerated                // in those that users do not write
	inMonitoring               // in objects of monitoring
	inVersions                 // in objects that have versions of others, and in annotations as below
	inAnnotations              // in annotations that operators make, of objects of the release
)

// form is a form of texts that a cluster makes for itself.
type form struct {
	own   string
	where place
	finds *regexp.Regexp
	holds func(match string) bool // nil for always
}

// allForms returns the forms in texts of the release.
func (s *self) allForms() []form {
	several := func(match string) bool { // a word of letters is none
		return strings.IndexFunc(match, unicode.IsDigit) != strings.LastIndexFunc(match, unicode.IsDigit)
	}
	encoded := func(match string) bool { return several(match) && strings.ContainsFunc(match, unicode.IsUpper) }
	repositories := []string{"quay.io/openshift-release-dev/", "registry.ci.openshift.org/"}
	if i := strings.LastIndex(s.image, "/"); i > 0 {
		repositories = append(repositories, s.image[:i+1])
	}
	for i, one := range repositories {
		repositories[i] = regexp.QuoteMeta(one)
	}
	image := `(` + strings.Join(repositories, "|") + `)[A-Za-z0-9._/-]+@sha256:[0-9a-f]{64}`
	return []form{
		{ownHashes, inRelease, regexp.MustCompile(image), nil},
		{ownHashes, inGenerated, regexp.MustCompile(`\brendered-[a-z0-9.-]+-[0-9a-f]{32}\b`), nil},
		{ownHashes, inVersions, regexp.MustCompile(`^[A-Za-z0-9_-]{4,8}==$`), nil},
		{ownHashes, inMonitoring, regexp.MustCompile(`-[a-z0-9]{13}\b`), several},
		{ownHashes, inAnnotations, regexp.MustCompile(`\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b`), nil},
		{ownHashes, inAnnotations, regexp.MustCompile(`\b[0-9a-f]{32,}\b`), nil},
		{ownHashes, inAnnotations, regexp.MustCompile(`^[A-Za-z0-9_+/-]{40,100}={0,2}$`), encoded},
		{ownTimes, inAnnotations, regexp.MustCompile(`\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z`), nil},
		{ownTimes, inAnnotations, regexp.MustCompile(`@\d{10}\b`), nil},
	}
}

// applies reports whether a form can be found in texts of a scope.
func (f form) applies(in scope) bool {
	switch f.where {
	case inRelease:
		return in.release
	case inGenerated:
		return in.release && !in.users
	case inMonitoring:
		return in.monitoring
	case inVersions:
		return in.versions || in.release && in.annotation
	}
	return in.release && in.annotation
}

// plain returns a text with a placeholder in place of everything that the cluster has of its own, and
// the rows of Owns that it found.
func (s *self) plain(text string, in scope) (string, map[string]bool) {
	found := map[string]bool{}
	if in.release {
		text = s.withoutKeys(text, in, found)
	}
	text = s.withoutNames(text, s.finds, in, found)
	if in.install {
		for _, name := range s.install {
			text = replaceWords(text, regexp.MustCompile(regexp.QuoteMeta(name)), func(string) string {
				found[ownNames] = true
				return "{" + ownNames + "}"
			})
		}
	}
	for _, f := range s.forms {
		if !f.applies(in) {
			continue
		}
		text = f.finds.ReplaceAllStringFunc(text, func(match string) string {
			if f.holds != nil && !f.holds(match) {
				return match
			}
			found[f.own] = true
			if at := strings.Index(match, "@sha256:"); at > 0 { // another repository is a setting
				return match[:at] + "@{" + f.own + "}"
			}
			if f.where == inGenerated { // another pool is a setting
				return match[:strings.LastIndex(match, "-")+1] + "{" + f.own + "}"
			}
			return "{" + f.own + "}"
		})
	}
	return text, found
}

// plainValue returns a value with plain texts.
func (s *self) plainValue(v any, in scope) any {
	switch v := v.(type) {
	case map[string]any:
		all := make(map[string]any, len(v))
		for k, one := range v {
			all[k] = s.plainValue(one, in)
		}
		return all
	case []any:
		all := make([]any, len(v))
		for i, one := range v {
			all[i] = s.plainValue(one, in)
		}
		return all
	case string:
		text, _ := s.plain(v, in)
		return text
	case hidden:
		return s.plainValue(v.rest, in)
	}
	return v
}

// withoutNames replaces the names that an expression finds; nil finds none. The version of the release
// counts only in its own CRs.
func (s *self) withoutNames(text string, finds *regexp.Regexp, in scope, found map[string]bool) string {
	if finds == nil {
		return text
	}
	return replaceWords(text, finds, func(name string) string {
		of := s.names[name]
		if of.own == ownRelease && !in.release {
			return name
		}
		found[of.own] = true
		return "{" + of.what + "}"
	})
}

// replaceWords replaces what an expression finds, where it does not begin or end inside a word. A number with dots,
// which a version may have after a v, is no part of a longer one, such as an address.
func replaceWords(text string, finds *regexp.Regexp, by func(string) string) string {
	isWord := func(c byte) bool {
		return c == '-' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
	}
	dotted, longer := regexp.MustCompile(`^\d+\.\d+\.\d`), regexp.MustCompile(`\d\.$`)
	var b strings.Builder
	done := 0
	for _, at := range finds.FindAllStringIndex(text, -1) {
		from, to := at[0], at[1]
		before := text[:from] // of a version without its v
		isDotted := dotted.MatchString(text[from:to])
		if isDotted {
			before = strings.TrimSuffix(before, "v")
		}
		begins := (before == "" || !isWord(before[len(before)-1])) && !(isDotted && longer.MatchString(before))
		ends := to == len(text) || text[to] == '-' || !isWord(text[to])
		if ends && strings.HasPrefix(text[to:], ".") { // a longer domain, or the end of a sentence
			ends = to+1 == len(text) || !isWord(text[to+1])
		}
		if begins && ends {
			b.WriteString(text[done:from] + by(text[from:to]))
			done = to
		}
	}
	return b.String() + text[done:]
}

// withoutKeys replaces certificates and public keys that a cluster made for itself, also where they are
// encoded in base64. Certificates side by side are replaced by their subjects, each once: a cluster
// keeps the former ones of a signer for some time.
func (s *self) withoutKeys(text string, in scope, found map[string]bool) string {
	const begins, encoded = "-----BEGIN ", "LS0tLS1CRUdJTi"
	if strings.Contains(text, encoded) {
		text = regexp.MustCompile(encoded+`[A-Za-z0-9+/]*={0,2}`).ReplaceAllStringFunc(text, func(match string) string {
			decoded, err := base64.StdEncoding.DecodeString(match)
			if err != nil {
				return match
			}
			if without := s.withoutKeys(string(decoded), in, found); without != string(decoded) {
				return without
			}
			return match
		})
	}
	if !strings.Contains(text, begins) {
		return text
	}
	var b strings.Builder
	subjects := map[string]bool{}
	flush := func() {
		for _, one := range slices.Sorted(maps.Keys(subjects)) {
			b.WriteString(one)
		}
		clear(subjects)
	}
	for text != "" {
		from := strings.Index(text, begins)
		if from < 0 {
			break
		}
		if strings.TrimSpace(text[:from]) != "" {
			flush()
			b.WriteString(text[:from])
		}
		block, rest := pem.Decode([]byte(text[from:]))
		if block == nil {
			text = text[from:]
			break
		}
		whole := text[from : len(text)-len(rest)]
		if subject := s.subjectOf(block, in); subject != "" {
			found[ownKeys] = true
			subjects[subject] = true
		} else {
			flush()
			b.WriteString(whole)
		}
		text = string(rest)
	}
	flush()
	return b.String() + text
}

// subjectOf describes a certificate or a public key that a cluster made for itself, without what is
// made anew each time; "" for any other block.
func (s *self) subjectOf(block *pem.Block, in scope) string {
	switch block.Type {
	case "PUBLIC KEY", "RSA PUBLIC KEY":
		if in.signing { // elsewhere it may be one that users trust
			return "{" + block.Type + "}"
		}
	case "CERTIFICATE":
		c, err := x509.ParseCertificate(block.Bytes)
		if err != nil {
			return ""
		}
		issuer, subject := c.Issuer.String(), c.Subject.String()
		signer := regexp.MustCompile(`@\d{9,}|\bolm-selfsigned-[0-9a-f]+`)
		if !in.bundle && !signer.MatchString(issuer) && !slices.Contains(c.Issuer.OrganizationalUnit, "openshift") {
			return ""
		}
		subject, _ = s.plain(signer.ReplaceAllString(subject, ""), scope{})
		return "{certificate " + subject + " of " + signer.ReplaceAllString(issuer, "") + "}"
	}
	return ""
}

// id returns an identity without names of the cluster and without the version of the API, by which
// objects of two clusters are paired.
func (s *self) id(id manifest.ID) manifest.ID {
	found := map[string]bool{}
	name := s.withoutNames(id.Name, s.inIDs, scope{}, found)
	namespace := s.withoutNames(id.Namespace, s.inIDs, scope{}, found)
	return manifest.ID{APIVersion: id.Group(), Kind: id.Kind, Namespace: namespace, Name: name}
}

// open returns a value of one cluster in which actions print the texts that have anything the cluster has
// of its own, and counts them.
func (s *self) open(v any, in scope, fields *Fields, at refconfig.FieldPath) any {
	switch v := v.(type) {
	case map[string]any:
		for k, one := range v {
			v[k] = s.open(one, in, fields, at.Below(refconfig.Key(k)))
		}
	case []any:
		for i, one := range v {
			v[i] = s.open(one, in, fields, at.Below(refconfig.Step{Index: i}))
		}
	case string:
		_, found := s.plain(v, in.below(at))
		if len(found) == 0 || isIdentity(at) {
			return v
		}
		if maps, ok := opened([]any{v}, at); ok && !s.inKeys(maps[0], in) {
			document, _ := s.open(maps[0], in, fields, at.Inside()).(map[string]any)
			if hasAction(document) {
				return tree.Document{Value: document}
			}
		}
		fields.countOwn(found)
		return fields.action(at, v)
	}
	return v
}

// inKeys reports whether a key of a map has anything that the cluster has of its own.
func (s *self) inKeys(v any, in scope) bool {
	for at := range tree.Leaves(v) {
		for _, step := range at {
			if _, found := s.plain(step.Key, in); len(found) > 0 {
				return true
			}
		}
	}
	return false
}

// hasAction reports whether an action prints a part of a value.
func hasAction(v any) bool {
	for _, leaf := range tree.Leaves(v) {
		switch leaf.(type) {
		case tree.Action, tree.Document:
			return true
		}
	}
	return false
}

// isIdentity reports whether a field is part of the identity of an object.
func isIdentity(at refconfig.FieldPath) bool {
	return len(at) == 1 && (at[0].Key == "kind" || at[0].Key == "apiVersion") ||
		len(at) == 2 && at[0].Key == "metadata" && (at[1].Key == "name" || at[1].Key == "namespace")
}
