package finding

import "testing"

func TestSelectors(t *testing.T) {
	ordinary := Object{"ptp.openshift.io/v1", "PtpConfig", "openshift-ptp", "ordinary"}
	role := Object{"rbac.authorization.k8s.io/v1", "ClusterRole", "", "system:node"}
	pod := Object{"v1", "Pod", "a", "b"}
	for _, c := range []struct {
		selector string
		object   Object
		want     bool
	}{
		{"PtpConfig", ordinary, true},
		{"ptpconfig/ordinary", ordinary, true},
		{"PtpConfig/openshift-ptp/ordinary", ordinary, true},
		{"PtpConfig/openshift/ordinary", ordinary, false},
		{"PtpConfig//ordinary", ordinary, false},
		{"PtpConfig/extraordinary", ordinary, false},
		{"PtpOperatorConfig", ordinary, false},
		{"PtpConfig.ptp.openshift.io/ordinary", ordinary, true},
		{"PtpConfig.v1.ptp.openshift.io", ordinary, true},
		{"PtpConfig.v2.ptp.openshift.io", ordinary, false},
		{"PtpConfig.", ordinary, false},
		{"Ptp*", ordinary, true},
		{"[P]tpC?nfig/openshift-*/*", ordinary, true},
		{"*/openshift-ptp/*", ordinary, true},
		{"*.ptp.openshift.io", ordinary, true},
		{"*.*.openshift.io", ordinary, true},
		{"*.*.k8s.io", ordinary, false},
		{"PtpConfig/ord", ordinary, false},
		{"ClusterRole/system:node", role, true},
		{"ClusterRole//system:node", role, true},
		{"ClusterRole/*/system:node", role, true},
		{"ClusterRole/?*/system:node", role, false},
		{"Pod.", pod, true},
		{"Pod.v1", pod, true},
		{"Pod.v1.", pod, false},
	} {
		s, err := ParseSelector(c.selector)
		if got := s.Matches(c.object); err != nil || got != c.want {
			t.Errorf("%q matches %s: %v, %v", c.selector, c.object, got, err)
		}
	}
	for _, o := range []Object{ordinary, role, pod} {
		if s, err := ParseSelector(o.Selector()); err != nil || !s.Matches(o) {
			t.Errorf("%q does not select %s: %v", o.Selector(), o, err)
		}
	}
}

func TestWhatIsNoSelector(t *testing.T) {
	const form = "write KIND, KIND/NAME or KIND/NAMESPACE/NAME"
	for text, want := range map[string]string{
		"":        form,
		"/name":   form,
		"Kind/":   form,
		"a/b/c/d": form,
		".group":  form,
		"Pod/a[":  `"a[" is not a valid glob: close the [, or put a backslash before it`,
	} {
		if _, err := ParseSelector(text); err == nil || err.Error() != want {
			t.Errorf("%q: %v, want %s", text, err, want)
		}
	}
}
