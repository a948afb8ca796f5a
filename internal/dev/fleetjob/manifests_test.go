package fleetjob

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	"sigs.k8s.io/yaml"
)

// manifests are what the files of the example hold.
type manifests struct {
	run             corev1.ConfigMap
	claims          map[string]corev1.PersistentVolumeClaim
	compare, report batchv1.Job
}

// read decodes the files of the example. A key that the API does not have, or that stands twice, is
// an error.
func read(t *testing.T) manifests {
	t.Helper()
	all := manifests{claims: map[string]corev1.PersistentVolumeClaim{}}
	files, err := filepath.Glob("../../../examples/fleet/job/*.yaml")
	if err != nil || len(files) != 3 {
		t.Fatalf("%d files: %v", len(files), err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for document := range strings.SplitSeq(string(text), "\n---\n") {
			if err := all.add([]byte(document)); err != nil {
				t.Errorf("%s: %v", file, err)
			}
		}
	}
	if all.run.Name == "" || len(all.claims) != 2 || all.compare.Name == "" || all.report.Name == "" {
		t.Fatalf("something lacks: %+v", all)
	}
	return all
}

func (m *manifests) add(document []byte) error {
	var about struct{ Kind string }
	if err := yaml.Unmarshal(document, &about); err != nil {
		return err
	}
	switch about.Kind {
	case "ConfigMap":
		return yaml.UnmarshalStrict(document, &m.run)
	case "PersistentVolumeClaim":
		var claim corev1.PersistentVolumeClaim
		err := yaml.UnmarshalStrict(document, &claim)
		m.claims[claim.Name] = claim
		return err
	}
	var job batchv1.Job
	err := yaml.UnmarshalStrict(document, &job)
	if job.Name == "validation-compare" {
		m.compare = job
	} else {
		m.report = job
	}
	return err
}

func (m manifests) jobs() []batchv1.Job { return []batchv1.Job{m.compare, m.report} }

// container is the only one of a Job.
func container(t *testing.T, job batchv1.Job) corev1.Container {
	t.Helper()
	pod := job.Spec.Template.Spec
	if len(pod.Containers) != 1 || len(pod.InitContainers) != 0 {
		t.Fatalf("%s has other containers", job.Name)
	}
	return pod.Containers[0]
}

// TestTheManifestsAreOfTheAPI: strictly, and what the types alone do not say of them.
func TestTheManifestsAreOfTheAPI(t *testing.T) {
	all := read(t)
	for _, job := range all.jobs() {
		if job.APIVersion != "batch/v1" || job.Kind != "Job" {
			t.Errorf("%s is a %s %s", job.Name, job.APIVersion, job.Kind)
		}
		if job.Spec.Template.Spec.RestartPolicy != corev1.RestartPolicyNever || job.Spec.PodFailurePolicy == nil {
			t.Errorf("%s: a podFailurePolicy needs restartPolicy Never", job.Name)
		}
		for i, rule := range job.Spec.PodFailurePolicy.Rules {
			if (rule.OnExitCodes == nil) == (len(rule.OnPodConditions) == 0) {
				t.Errorf("%s: rule %d has to be about exit codes or about conditions", job.Name, i)
			}
			if codes := rule.OnExitCodes; codes != nil &&
				(*codes.ContainerName != container(t, job).Name || !slices.IsSorted(codes.Values) || slices.Contains(codes.Values, 0)) {
				t.Errorf("%s: rule %d has exit codes that the API refuses: %+v", job.Name, i, codes)
			}
			if rule.Action == batchv1.PodFailurePolicyActionFailIndex && job.Spec.BackoffLimitPerIndex == nil {
				t.Errorf("%s: FailIndex needs backoffLimitPerIndex", job.Name)
			}
		}
	}
	spec := all.compare.Spec
	if *spec.CompletionMode != batchv1.IndexedCompletion ||
		strconv.Itoa(int(*spec.Completions)) != all.run.Data["SHARES"] {
		t.Errorf(
			"%d completions (%s), and SHARES is %s", *spec.Completions, *spec.CompletionMode, all.run.Data["SHARES"],
		)
	}
}

// TestAnswersAreNotTriedAgain: of the exit statuses, by what becomes of the pod.
func TestAnswersAreNotTriedAgain(t *testing.T) {
	all := read(t)
	for _, c := range []struct {
		job    batchv1.Job
		status int32
		want   batchv1.PodFailurePolicyAction // "" for another try
	}{
		{all.compare, 2, ""}, {all.compare, 127, "FailJob"}, {all.compare, 128, "FailJob"}, {all.compare, 137, ""}, {all.compare, 143, ""},
		{all.report, 1, "FailJob"}, {all.report, 2, "FailJob"}, {all.report, 137, ""},
	} {
		got := batchv1.PodFailurePolicyAction("")
		for _, rule := range c.job.Spec.PodFailurePolicy.Rules {
			if codes := rule.OnExitCodes; got == "" && codes != nil && slices.Contains(codes.Values, c.status) {
				got = rule.Action
			}
		}
		if got != c.want {
			t.Errorf("%s: exit status %d: %q, want %q", c.job.Name, c.status, got, c.want)
		}
		if rule := c.job.Spec.PodFailurePolicy.Rules[0]; rule.Action != "Ignore" ||
			rule.OnPodConditions[0].Type != corev1.DisruptionTarget {
			t.Errorf("%s: a pod that was evicted counts", c.job.Name)
		}
	}
}

// TestPodsMayDoLittle: no root, nothing to write but the reports, no token, no more memory than is
// needed.
func TestPodsMayDoLittle(t *testing.T) {
	all := read(t)
	for _, job := range all.jobs() {
		pod, c := job.Spec.Template.Spec, container(t, job)
		may := c.SecurityContext
		if !*pod.SecurityContext.RunAsNonRoot || pod.SecurityContext.SeccompProfile.Type != corev1.SeccompProfileTypeRuntimeDefault ||
			*pod.AutomountServiceAccountToken ||
			*may.AllowPrivilegeEscalation ||
			!*may.ReadOnlyRootFilesystem ||
			!slices.Equal(may.Capabilities.Drop, []corev1.Capability{"ALL"}) {
			t.Errorf("%s may do more than it needs: %+v %+v", job.Name, pod.SecurityContext, may)
		}
		for _, mount := range c.VolumeMounts {
			if mount.ReadOnly == (mount.Name == "reports") {
				t.Errorf("%s: %s is mounted readOnly %v", job.Name, mount.Name, mount.ReadOnly)
			}
		}
		limit := c.Resources.Limits[corev1.ResourceMemory]
		m := regexp.MustCompile(`--limit=memory=(\d+)MiB`).FindStringSubmatch(strings.Join(c.Args, " "))
		if m == nil {
			t.Fatalf("%s has no --limit memory", job.Name)
		}
		if needs := resource.MustParse(m[1] + "Mi"); limit.Value() < needs.Value()*3/2 ||
			c.Resources.Limits.Cpu().IsZero() {
			t.Errorf("%s: of %s, the tool may take %s", job.Name, limit.String(), needs.String())
		}
	}
}

// TestVolumesAreThere: each mount has its volume, and each volume what it is made of. The reference
// alone is not among the manifests.
func TestVolumesAreThere(t *testing.T) {
	all := read(t)
	for _, job := range all.jobs() {
		volumes := map[string]bool{}
		for _, v := range job.Spec.Template.Spec.Volumes {
			volumes[v.Name] = true
			switch {
			case v.PersistentVolumeClaim != nil && all.claims[v.PersistentVolumeClaim.ClaimName].Name == "",
				v.ConfigMap != nil && v.ConfigMap.Name != "validation-reference", v.PersistentVolumeClaim == nil && v.ConfigMap == nil:
				t.Errorf("%s: there is nothing to make the volume %s of", job.Name, v.Name)
			}
		}
		c := container(t, job)
		for _, mount := range c.VolumeMounts {
			if !volumes[mount.Name] || mount.MountPath != c.WorkingDir+"/"+mount.Name {
				t.Errorf("%s: the tool does not find %s at %s", job.Name, mount.Name, mount.MountPath)
			}
		}
		if c.EnvFrom[0].ConfigMapRef.Name != all.run.Name {
			t.Errorf("%s has its settings from %s", job.Name, c.EnvFrom[0].ConfigMapRef.Name)
		}
	}
}
