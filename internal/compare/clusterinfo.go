package compare

import "github.com/validationtool/validationtool/internal/value/tree"

// configVersion is the apiVersion of the CRs in which OpenShift describes the cluster.
const configVersion = "config.openshift.io/v1"

// describeCluster adds what the input says about its cluster to the result.
func (r *run) describeCluster() {
	c := &r.result.Cluster
	c.Gathered = r.in.When
	for _, e := range r.store.byKind[[2]string{configVersion, "ClusterVersion"}] {
		if v, err := e.decode(); err == nil && c.ID == "" && e.object.Wrapper == "" {
			c.ID = tree.StringAt(v, "spec", "clusterID")
			c.Version = tree.StringAt(v, "status", "desired", "version")
		}
	}
	for _, e := range r.store.byKind[[2]string{configVersion, "Infrastructure"}] {
		if v, err := e.decode(); err == nil && c.Infrastructure == "" && e.object.Wrapper == "" {
			c.Infrastructure = tree.StringAt(v, "status", "infrastructureName")
		}
	}
}
