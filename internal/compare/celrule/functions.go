package celrule

import (
	"errors"
	"fmt"
	"net/netip"
	"net/url"
	"reflect"
	"regexp"
	"time"

	"cel.dev/cel-go/cel"
	"cel.dev/cel-go/common/types"
	"cel.dev/cel-go/common/types/ref"
	"cel.dev/cel-go/common/types/traits"
	"k8s.io/apimachinery/pkg/api/resource"
)

// kubernetes is the library of the functions that Kubernetes adds to CEL.
type kubernetes struct{}

// LibraryName implements cel.SingletonLibrary.
func (kubernetes) LibraryName() string { return "kubernetes" }

// ProgramOptions implements cel.Library.
func (kubernetes) ProgramOptions() []cel.ProgramOption { return nil }

// CompileOptions implements cel.Library.
func (kubernetes) CompileOptions() (all []cel.EnvOption) {
	for _, part := range [][]cel.EnvOption{lists(), texts(), urls(), quantities(), networks(), formats()} {
		all = append(all, part...)
	}
	return all
}

// foreign is a value of a type that Kubernetes adds.
type foreign struct {
	kind  *cel.Type
	value any
	same  func(other any) bool
}

// ConvertToNative implements ref.Val.
func (f foreign) ConvertToNative(reflect.Type) (any, error) { return f.value, nil }

// ConvertToType implements ref.Val.
func (f foreign) ConvertToType(to ref.Type) ref.Val {
	if to == types.TypeType {
		return f.kind
	}
	return types.NewErr("type conversion error from '%s' to '%s'", f.kind, to.TypeName())
}

// Equal implements ref.Val.
func (f foreign) Equal(other ref.Val) ref.Val {
	o, ok := other.(foreign)
	return types.Bool(ok && o.kind == f.kind && f.same(o.value))
}

// Type implements ref.Val.
func (f foreign) Type() ref.Type { return f.kind }

// Value implements ref.Val.
func (f foreign) Value() any { return f.value }

// on1 returns the implementation of a function of one value.
func on1[A any](f func(A) ref.Val) cel.OverloadOpt {
	return cel.UnaryBinding(func(v ref.Val) ref.Val {
		a, ok := v.Value().(A)
		if !ok {
			return types.MaybeNoSuchOverloadErr(v)
		}
		return f(a)
	})
}

// on2 returns the implementation of a function of two values.
func on2[A, B any](f func(A, B) ref.Val) cel.OverloadOpt {
	return cel.BinaryBinding(func(v, w ref.Val) ref.Val {
		a, isA := v.Value().(A)
		b, isB := w.Value().(B)
		if !isA || !isB {
			return types.MaybeNoSuchOverloadErr(w)
		}
		return f(a, b)
	})
}

// global declares a function, and member a method of its first argument.
func global(name, overload string, to *cel.Type, impl cel.OverloadOpt, from ...*cel.Type) cel.EnvOption {
	return cel.Function(name, cel.Overload(overload, from, to, impl))
}

func member(name, overload string, to *cel.Type, impl cel.OverloadOpt, from ...*cel.Type) cel.EnvOption {
	return cel.Function(name, cel.MemberOverload(overload, from, to, impl))
}

// lists are the functions of lists that cel-go does not have.
func lists() []cel.EnvOption {
	any := cel.TypeParamType("A")
	list := cel.ListType(any)
	all := []cel.EnvOption{
		member("indexOf", "list_a_index_of_int", cel.IntType, cel.BinaryBinding(func(l, item ref.Val) ref.Val {
			for i, x := range items(l) {
				if types.Equal(x, item) == types.True {
					return types.Int(i)
				}
			}
			return types.Int(-1)
		}), list, any),
		member("lastIndexOf", "list_a_last_index_of_int", cel.IntType, cel.BinaryBinding(func(l, item ref.Val) ref.Val {
			last := -1
			for i, x := range items(l) {
				if types.Equal(x, item) == types.True {
					last = i
				}
			}
			return types.Int(last)
		}), list, any),
		member("includes", "list_includes_dyn_dyn", cel.BoolType, cel.BinaryBinding(func(l, item ref.Val) ref.Val {
			if _, isList := l.(traits.Lister); !isList {
				return types.Bool(types.Equal(l, item) == types.True)
			}
			for _, x := range items(l) {
				if types.Equal(x, item) == types.True {
					return types.True
				}
			}
			return types.False
		}), cel.DynType, cel.DynType),
	}
	zero := map[string]ref.Val{
		"int": types.Int(0), "uint": types.Uint(0), "double": types.Double(0), "duration": types.Duration{},
	}
	for _, t := range []*cel.Type{
		cel.IntType, cel.UintType, cel.DoubleType, cel.DurationType,
		cel.BoolType, cel.TimestampType, cel.StringType, cel.BytesType,
	} {
		of, name := cel.ListType(t), t.TypeName()
		if t == cel.DurationType || t == cel.TimestampType {
			name = name[len("google.protobuf."):]
			name = string(name[0]|0x20) + name[1:]
		}
		all = append(all,
			member("isSorted", "list_"+name+"_is_sorted_bool", cel.BoolType, cel.UnaryBinding(isSorted), of),
			member("min", "list_"+name+"_min_"+name, t, cel.UnaryBinding(extreme("min", types.IntNegOne)), of),
			member("max", "list_"+name+"_max_"+name, t, cel.UnaryBinding(extreme("max", types.IntOne)), of),
		)
		if start := zero[name]; start != nil {
			all = append(all, member("sum", "list_"+name+"_sum_"+name, t, cel.UnaryBinding(sum(start)), of))
		}
	}
	return all
}

// items returns the items of a list.
func items(v ref.Val) (all []ref.Val) {
	list, ok := v.(traits.Iterable)
	if !ok {
		return nil
	}
	for it := list.Iterator(); it.HasNext() == types.True; {
		all = append(all, it.Next())
	}
	return all
}

func isSorted(list ref.Val) ref.Val {
	all := items(list)
	for i := range all {
		if i == 0 {
			continue
		}
		before, ok := all[i-1].(traits.Comparer)
		if !ok {
			return types.MaybeNoSuchOverloadErr(all[i-1])
		}
		if before.Compare(all[i]) == types.IntOne {
			return types.False
		}
	}
	return types.True
}

// extreme returns a function that returns the item of a list that compares with all others like
// this.
func extreme(name string, wanted ref.Val) func(ref.Val) ref.Val {
	return func(list ref.Val) ref.Val {
		var best ref.Val
		for _, item := range items(list) {
			this, ok := item.(traits.Comparer)
			if !ok {
				return types.MaybeNoSuchOverloadErr(item)
			}
			if best == nil || this.Compare(best) == wanted {
				best = item
			}
		}
		if best == nil {
			return types.NewErr("%s called on empty list", name)
		}
		return best
	}
}

func sum(start ref.Val) func(ref.Val) ref.Val {
	return func(list ref.Val) ref.Val {
		total := start
		for _, item := range items(list) {
			so, ok := total.(traits.Adder)
			if !ok {
				return total // an overflow
			}
			total = so.Add(item)
		}
		return total
	}
}

// texts are the functions of regular expressions.
func texts() []cel.EnvOption {
	texts := cel.ListType(cel.StringType)
	all := func(args ...ref.Val) ref.Val {
		text, isText := args[0].Value().(string)
		pattern, isPattern := args[1].Value().(string)
		most := int64(-1)
		if len(args) > 2 {
			most, isPattern = args[2].Value().(int64)
		}
		if !isText || !isPattern {
			return types.NoSuchOverloadErr()
		}
		re, err := regexp.Compile(pattern)
		if err != nil {
			return types.NewErr("Illegal regex: %v", err)
		}
		return types.NewStringList(types.DefaultTypeAdapter, re.FindAllString(text, int(most)))
	}
	return []cel.EnvOption{
		member("find", "string_find_string", cel.StringType, on2(func(text, pattern string) ref.Val {
			re, err := regexp.Compile(pattern)
			if err != nil {
				return types.NewErr("Illegal regex: %v", err)
			}
			return types.String(re.FindString(text))
		}), cel.StringType, cel.StringType),
		member("findAll", "string_find_all_string", texts, cel.BinaryBinding(
			func(text, pattern ref.Val) ref.Val { return all(text, pattern) }), cel.StringType, cel.StringType),
		member("findAll", "string_find_all_string_int", texts, cel.FunctionBinding(all),
			cel.StringType, cel.StringType, cel.IntType),
	}
}

// urls are the functions of URLs.
func urls() []cel.EnvOption {
	kind := cel.ObjectType("kubernetes.URL")
	all := []cel.EnvOption{
		cel.Types(kind),
		global("isURL", "is_url_string", cel.BoolType, on1(func(text string) ref.Val {
			_, err := url.ParseRequestURI(text)
			return types.Bool(err == nil)
		}), cel.StringType),
		global("url", "string_to_url", kind, on1(func(text string) ref.Val {
			_, err := url.ParseRequestURI(text)
			u, err2 := url.Parse(text) // the other one does not know fragments
			if err = errors.Join(err, err2); err != nil {
				return types.NewErr("URL parse error during conversion from string: %v", err)
			}
			return foreign{kind, u, func(o any) bool { return o.(*url.URL).String() == u.String() }}
		}), cel.StringType),
		member("getQuery", "url_get_query", cel.MapType(cel.StringType, cel.ListType(cel.StringType)),
			on1(func(u *url.URL) ref.Val {
				return types.NewDynamicMap(types.DefaultTypeAdapter, map[string][]string(u.Query()))
			}), kind),
	}
	for name, get := range map[string]func(*url.URL) string{
		"getScheme": func(u *url.URL) string { return u.Scheme }, "getHost": func(u *url.URL) string { return u.Host },
		"getHostname": (*url.URL).Hostname, "getPort": (*url.URL).Port, "getEscapedPath": (*url.URL).EscapedPath,
	} {
		all = append(all, member(name, "url_"+name, cel.StringType,
			on1(func(u *url.URL) ref.Val { return types.String(get(u)) }), kind))
	}
	return all
}

// quantities are the functions of quantities, such as 1500m or 2Gi.
func quantities() []cel.EnvOption {
	type quantity = *resource.Quantity
	kind := cel.ObjectType("kubernetes.Quantity")
	of := func(q resource.Quantity) ref.Val {
		return foreign{kind, &q, func(o any) bool { return q.Equal(*o.(quantity)) }}
	}
	from := func(n int64) resource.Quantity { return *resource.NewQuantity(n, resource.DecimalExponent) }
	add := func(a, b resource.Quantity) ref.Val {
		a = a.DeepCopy()
		a.Add(b)
		return of(a)
	}
	sub := func(a, b resource.Quantity) ref.Val {
		a = a.DeepCopy()
		a.Sub(b)
		return of(a)
	}
	return []cel.EnvOption{
		cel.Types(kind),
		global("quantity", "string_to_quantity", kind, on1(func(text string) ref.Val {
			q, err := resource.ParseQuantity(text)
			if err != nil {
				return types.WrapErr(err)
			}
			return of(q)
		}), cel.StringType),
		global("isQuantity", "is_quantity_string", cel.BoolType, on1(func(text string) ref.Val {
			_, err := resource.ParseQuantity(text)
			return types.Bool(err == nil)
		}), cel.StringType),
		member("sign", "quantity_sign", cel.IntType, on1(func(q quantity) ref.Val { return types.Int(q.Sign()) }), kind),
		member("isInteger", "quantity_is_integer", cel.BoolType, on1(func(q quantity) ref.Val {
			_, ok := q.AsInt64()
			return types.Bool(ok)
		}), kind),
		member("asInteger", "quantity_get_int", cel.IntType, on1(func(q quantity) ref.Val {
			n, ok := q.AsInt64()
			if !ok {
				return types.NewErr("cannot convert value to integer")
			}
			return types.Int(n)
		}), kind),
		member("asApproximateFloat", "quantity_get_float", cel.DoubleType,
			on1(func(q quantity) ref.Val { return types.Double(q.AsApproximateFloat64()) }), kind),
		member("isGreaterThan", "quantity_is_greater_than", cel.BoolType,
			on2(func(a, b quantity) ref.Val { return types.Bool(a.Cmp(*b) > 0) }), kind, kind),
		member("isLessThan", "quantity_is_less_than", cel.BoolType,
			on2(func(a, b quantity) ref.Val { return types.Bool(a.Cmp(*b) < 0) }), kind, kind),
		member("compareTo", "quantity_compare_to", cel.IntType,
			on2(func(a, b quantity) ref.Val { return types.Int(a.Cmp(*b)) }), kind, kind),
		member("add", "quantity_add", kind, on2(func(a, b quantity) ref.Val { return add(*a, *b) }), kind, kind),
		member("add", "quantity_add_int", kind,
			on2(func(a quantity, b int64) ref.Val { return add(*a, from(b)) }), kind, cel.IntType),
		member("sub", "quantity_sub", kind, on2(func(a, b quantity) ref.Val { return sub(*a, *b) }), kind, kind),
		member("sub", "quantity_sub_int", kind,
			on2(func(a quantity, b int64) ref.Val { return sub(*a, from(b)) }), kind, cel.IntType),
	}
}

// networks are the functions of IP addresses and networks.
func networks() []cel.EnvOption {
	ip, cidr := cel.OpaqueType("net.IP"), cel.OpaqueType("net.CIDR")
	ofIP := func(a netip.Addr, err error) ref.Val {
		if err != nil {
			return types.WrapErr(err)
		}
		return foreign{ip, a, func(o any) bool { return o == a }}
	}
	ofCIDR := func(p netip.Prefix, err error) ref.Val {
		if err != nil {
			return types.NewErr("network address parse error during conversion from string: %v", err)
		}
		return foreign{cidr, p, func(o any) bool { return o == p }}
	}
	hasIP := func(p netip.Prefix, a netip.Addr) ref.Val { return types.Bool(p.Contains(a)) }
	hasCIDR := func(p, q netip.Prefix) ref.Val { return types.Bool(p.Overlaps(q) && p.Bits() <= q.Bits()) }
	all := []cel.EnvOption{
		cel.Types(ip, cidr),
		global("ip", "string_to_ip", ip, on1(func(text string) ref.Val { return ofIP(address(text)) }), cel.StringType),
		global("isIP", "is_ip", cel.BoolType, on1(func(text string) ref.Val {
			_, err := address(text)
			return types.Bool(err == nil)
		}), cel.StringType),
		global("ip.isCanonical", "ip_is_canonical", cel.BoolType, on1(func(text string) ref.Val {
			a, err := address(text)
			if err != nil {
				return types.WrapErr(err)
			}
			return types.Bool(a.String() == text)
		}), cel.StringType),
		global("string", "ip_to_string", cel.StringType,
			on1(func(a netip.Addr) ref.Val { return types.String(a.String()) }), ip),
		member("family", "ip_family", cel.IntType, on1(func(a netip.Addr) ref.Val {
			if a.Is4() {
				return types.Int(4)
			}
			return types.Int(6)
		}), ip),
		global("cidr", "string_to_cidr", cidr,
			on1(func(text string) ref.Val { return ofCIDR(network(text)) }), cel.StringType),
		global("isCIDR", "is_cidr", cel.BoolType, on1(func(text string) ref.Val {
			_, err := network(text)
			return types.Bool(err == nil)
		}), cel.StringType),
		global("string", "cidr_to_string", cel.StringType,
			on1(func(p netip.Prefix) ref.Val { return types.String(p.String()) }), cidr),
		member("ip", "cidr_ip", ip, on1(func(p netip.Prefix) ref.Val { return ofIP(p.Addr(), nil) }), cidr),
		member("masked", "cidr_masked", cidr, on1(func(p netip.Prefix) ref.Val { return ofCIDR(p.Masked(), nil) }), cidr),
		member("prefixLength", "cidr_prefix_length", cel.IntType,
			on1(func(p netip.Prefix) ref.Val { return types.Int(p.Bits()) }), cidr),
		member("containsIP", "cidr_contains_ip_ip", cel.BoolType, on2(hasIP), cidr, ip),
		member("containsIP", "cidr_contains_ip_string", cel.BoolType, on2(func(p netip.Prefix, text string) ref.Val {
			a, err := address(text)
			if err != nil {
				return types.WrapErr(err)
			}
			return hasIP(p, a)
		}), cidr, cel.StringType),
		member("containsCIDR", "cidr_contains_cidr", cel.BoolType, on2(hasCIDR), cidr, cidr),
		member("containsCIDR", "cidr_contains_cidr_string", cel.BoolType, on2(func(p netip.Prefix, text string) ref.Val {
			q, err := network(text)
			if err != nil {
				return ofCIDR(q, err)
			}
			return hasCIDR(p, q)
		}), cidr, cel.StringType),
	}
	for name, is := range map[string]func(netip.Addr) bool{
		"isUnspecified": netip.Addr.IsUnspecified, "isLoopback": netip.Addr.IsLoopback,
		"isLinkLocalMulticast": netip.Addr.IsLinkLocalMulticast, "isLinkLocalUnicast": netip.Addr.IsLinkLocalUnicast,
		"isGlobalUnicast": netip.Addr.IsGlobalUnicast,
	} {
		all = append(all, member(name, "ip_"+name, cel.BoolType,
			on1(func(a netip.Addr) ref.Val { return types.Bool(is(a)) }), ip))
	}
	return all
}

// address reads an IP address, without a zone and not as an IPv4 address in one of IPv6.
func address(text string) (a netip.Addr, err error) {
	a, err = netip.ParseAddr(text)
	switch {
	case err != nil:
		return a, fmt.Errorf("IP Address %q parse error during conversion from string: %w", text, err)
	case a.Zone() != "":
		return a, fmt.Errorf("IP address %q with zone value is not allowed", text)
	case a.Is4In6():
		return a, fmt.Errorf("IPv4-mapped IPv6 address %q is not allowed", text)
	}
	return a, nil
}

// network reads a network.
func network(text string) (p netip.Prefix, err error) {
	p, err = netip.ParsePrefix(text)
	switch {
	case err != nil:
		return p, fmt.Errorf("network address parse error during conversion from string: %w", err)
	case p.Addr().Is4In6():
		return p, fmt.Errorf("IPv4-mapped IPv6 address %q is not allowed", text)
	}
	return p, nil
}

// formats are the functions of named formats. Their words are our own.
func formats() []cel.EnvOption {
	kind := cel.ObjectType("kubernetes.NamedFormat")
	type format struct {
		is   func(string) bool
		name string
	}
	const label, part = `[a-z0-9]([-a-z0-9]*[a-z0-9])?`, `([A-Za-z0-9][-A-Za-z0-9_.]{0,61})?[A-Za-z0-9]`
	like := func(longest int, pattern string) func(string) bool {
		re := regexp.MustCompile(`^(` + pattern + `)$`)
		return func(text string) bool { return len(text) <= longest && re.MatchString(text) }
	}
	parsed := func(parse func(string) error) func(string) bool {
		return func(text string) bool { return parse(text) == nil }
	}
	isDomain := like(253, label+`(\.`+label+`)*`)
	isPart := like(63, part)
	all := map[string]func(string) bool{
		"dns1123Label":           like(63, label),
		"dns1123LabelPrefix":     like(63, `[a-z0-9][-a-z0-9]*`),
		"dns1123Subdomain":       isDomain,
		"dns1123SubdomainPrefix": like(253, `(`+label+`\.)*[a-z0-9][-a-z0-9]*`),
		"dns1035Label":           like(63, `[a-z]([-a-z0-9]*[a-z0-9])?`),
		"dns1035LabelPrefix":     like(63, `[a-z][-a-z0-9]*`),
		"labelValue":             func(text string) bool { return text == "" || isPart(text) },
		"qualifiedName": func(text string) bool {
			domain, name, hasDomain := cut(text)
			return isPart(name) && (!hasDomain || isDomain(domain))
		},
		"uri":      parsed(func(text string) error { _, err := url.ParseRequestURI(text); return err }),
		"uuid":     like(36, `(?i)[0-9a-f]{8}-?([0-9a-f]{4}-?){3}[0-9a-f]{12}`),
		"byte":     like(1<<30, `([A-Za-z0-9+/]{4})*([A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?`),
		"date":     parsed(func(text string) error { _, err := time.Parse(time.DateOnly, text); return err }),
		"datetime": parsed(func(text string) error { _, err := time.Parse(time.RFC3339, text); return err }),
	}
	of := func(name string) ref.Val {
		return foreign{kind, format{all[name], name}, func(o any) bool { return o.(format).name == name }}
	}
	options := []cel.EnvOption{
		cel.Types(kind),
		global("format.named", "format-named", cel.OptionalType(kind), on1(func(name string) ref.Val {
			if all[name] == nil {
				return types.OptionalNone
			}
			return types.OptionalOf(of(name))
		}), cel.StringType),
		member("validate", "format-validate", cel.OptionalType(cel.ListType(cel.StringType)),
			on2(func(f format, text string) ref.Val {
				if f.is(text) {
					return types.OptionalNone
				}
				return types.OptionalOf(types.NewStringList(types.DefaultTypeAdapter, []string{"not valid as " + f.name}))
			}), kind, cel.StringType),
	}
	for name := range all {
		options = append(options, global("format."+name, "format."+name, kind,
			cel.FunctionBinding(func(...ref.Val) ref.Val { return of(name) })))
	}
	return options
}

// cut splits a qualified name at its slash.
func cut(text string) (domain, name string, hasDomain bool) {
	for i := range len(text) {
		if text[i] == '/' {
			return text[:i], text[i+1:], true
		}
	}
	return "", text, false
}
