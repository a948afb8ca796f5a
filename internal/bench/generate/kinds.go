package main

import (
	"encoding/base64"
	"fmt"
	"net/url"
	"strings"
)

// filling is a kind of object that fills an archive.
type filling struct {
	stamp stamp
	count int // number of objects at scale 1
	word  func(r *random) string
}

// fillings returns the kinds with their stamps. The counts are about half of those of real clusters
// that were half an hour old.
func fillings(r *random) []filling {
	ca := r.certificate()
	return append(workloads(), []filling{
		{stamp: event(), count: 2585, word: message},
		{stamp: secret(ca), count: 480, word: func(r *random) string { return fmt.Sprint("token-", r.n(90)) }},
		{stamp: newStamp("v1", "Secret", map[string]any{"type": "kubernetes.io/tls", "data": map[string]any{
			"tls.crt": markWord, "tls.key": "MTY3NSBieXRlcyBsb25n"}}), count: 59,
			word: func(r *random) string { return base64.StdEncoding.EncodeToString([]byte(r.certificate())) }},
		{
			stamp: newStamp("v1", "ConfigMap", map[string]any{"data": map[string]any{"ca-bundle.crt": ca + ca}}),
			count: 100,
		},
		{stamp: settings(), count: 100, word: (*random).word},
		{stamp: dashboard(r), count: 24, word: (*random).word},
		{stamp: dashboard(r), count: 23, word: (*random).word},
		{stamp: bundle(r), count: 27},
		{stamp: newStamp("v1", "Service", map[string]any{"spec": map[string]any{
			"clusterIP": "172.30.14.9", "ports": ports(8443), "selector": map[string]any{"app": markName}}}), count: 60},
		{stamp: newStamp("v1", "Endpoints", map[string]any{"subsets": []any{map[string]any{
			"addresses": []any{map[string]any{"ip": "10.128.0.61"}}, "ports": ports(8443)}}}), count: 60},
		{
			stamp: newStamp(
				"discovery.k8s.io/v1",
				"EndpointSlice",
				map[string]any{"addressType": "IPv4", "ports": ports(8443),
					"endpoints": []any{
						map[string]any{"addresses": []any{"10.128.0.61"}, "conditions": map[string]any{"ready": true}},
					}},
			),
			count: 60,
		},
		{
			stamp: newStamp(
				"image.openshift.io/v1",
				"ImageStream",
				map[string]any{"spec": map[string]any{"lookupPolicy": map[string]any{"local": false},
					"tags": []any{
						map[string]any{"name": "latest", "from": map[string]any{"kind": "DockerImage", "name": image}},
					}}},
			),
			count: 45,
		},
		{
			stamp: newStamp(
				"monitoring.coreos.com/v1",
				"ServiceMonitor",
				map[string]any{"spec": map[string]any{"endpoints": []any{
					map[string]any{
						"port":     "metrics",
						"scheme":   "https",
						"interval": "30s",
					}}, "selector": map[string]any{}}},
			),
			count: 40,
		},
		{stamp: rules(r), count: 15},
		{stamp: newStamp("rbac.authorization.k8s.io/v1", "Role", map[string]any{"rules": roleRules(4)}), count: 20},
		{stamp: newStamp("rbac.authorization.k8s.io/v1", "RoleBinding", binding("Role")), count: 40},
		{stamp: serviceVersion(r), count: 23},
		{stamp: serviceVersion(r), count: 22},
		{stamp: serviceVersion(r), count: 22},
		{stamp: requestCount(r), count: 30},
		{stamp: requestCount(r), count: 30},
		{stamp: requestCount(r), count: 25},
		{
			stamp: newStamp(
				"config.openshift.io/v1",
				"ClusterOperator",
				map[string]any{"spec": map[string]any{}, "status": map[string]any{
					"conditions": conditions(
						"Available", "Degraded", "Progressing", "Upgradeable",
					), "relatedObjects": related(r)}},
			),
			count: 17,
		},
		{
			stamp: newStamp(
				"v1",
				"Node",
				map[string]any{"spec": map[string]any{"providerID": "bare:///" + markUID}, "status": map[string]any{
					"conditions": conditions("Ready", "MemoryPressure"), "images": images(r, 50)}},
			),
			count: 3,
		},
		{
			stamp: machineConfig(r, ca),
			count: 6,
			word:  func(r *random) string { return string(r.appendFrom(nil, base64Chars, 4000+r.n(70000))) },
		},
		{
			stamp: newStamp("rbac.authorization.k8s.io/v1", "ClusterRole", map[string]any{"rules": roleRules(9)}),
			count: 25,
		},
		{stamp: newStamp("rbac.authorization.k8s.io/v1", "ClusterRoleBinding", binding("ClusterRole")), count: 15},
	}...)
}

const image = "quay.io/openshift-release-dev/ocp-v4.0-art-dev@sha256:8f3f5b0b6b9f1f0f7c3de8fb1a3d1c7e2a9d4c5b6e7f8091a2b3c4d5e6f70819"

func imageOf(r *random) string { return image[:len(image)-64] + r.hex(64) }

func workloads() []filling {
	spec := func() map[string]any {
		return map[string]any{
			"replicas":             1,
			"revisionHistoryLimit": 10,
			"selector":             map[string]any{"matchLabels": map[string]any{"app": markName}},
			"template": map[string]any{
				"metadata": map[string]any{"labels": map[string]any{"app": markName}},
				"spec":     podSpec(1),
			},
		}
	}
	status := map[string]any{"observedGeneration": 1, "replicas": 1, "conditions": conditions("Available")}
	return []filling{
		{stamp: newStamp("apps/v1", "Deployment", map[string]any{"spec": spec(), "status": status}), count: 30},
		{stamp: newStamp("apps/v1", "ReplicaSet", map[string]any{"spec": spec(), "status": status}), count: 40},
		{stamp: newStamp("apps/v1", "DaemonSet", map[string]any{"spec": spec(), "status": status}), count: 12},
	}
}

// pod returns the stamp of a pod with a number of containers.
func pod(r *random, containers int) stamp {
	var states []any
	for i := range containers {
		states = append(states, map[string]any{
			"name":         fmt.Sprint("container-", i),
			"image":        imageOf(r),
			"imageID":      imageOf(r),
			"ready":        true,
			"restartCount": 0,
			"containerID":  "cri-o://" + markUID,
			"lastState":    map[string]any{},
			"state":        map[string]any{"running": map[string]any{"startedAt": markTime}},
		})
	}
	return newStamp("v1", "Pod", map[string]any{"spec": podSpec(containers), "status": map[string]any{
		"phase": "Running", "podIP": "10.128.0.61", "message": sentence(r, 40), "qosClass": "Burstable", "conditions": conditions("Initialized", "Ready", "ContainersReady", "PodScheduled"),
		"containerStatuses": states}})
}

func podSpec(containers int) map[string]any {
	var list, volumes []any
	for _, name := range []string{"serving-cert", "trusted-ca", "config", "kube-api-access", "metrics-client-ca", "secret-data"} {
		volumes = append(
			volumes, map[string]any{"name": name, "secret": map[string]any{"secretName": name, "defaultMode": 420}},
		)
	}
	for i := range containers {
		var env, mounts []any
		for j, w := range words()[i : i+12] {
			env = append(env, map[string]any{"name": "IMAGE_" + strings.ToUpper(w), "value": image})
			if j < 6 {
				mounts = append(mounts, map[string]any{"name": w, "mountPath": "/etc/pki/" + w, "readOnly": true})
			}
		}
		list = append(
			list,
			map[string]any{"name": fmt.Sprint("container-", i), "image": image, "imagePullPolicy": "IfNotPresent",
				"command": []any{
					"/bin/bash",
					"-c",
					"set -o nounset\nexec operator start --config /etc/config.yaml\n",
				}, "args": []any{"--v=2", "--listen=0.0.0.0:8443"},
				"env": env, "ports": ports(8443 + i), "resources": map[string]any{"requests": map[string]any{"cpu": "10m", "memory": "60Mi"}},
				"livenessProbe": probe("/healthz"), "readinessProbe": probe("/readyz"), "volumeMounts": mounts,
				"terminationMessagePath": "/dev/termination-log", "terminationMessagePolicy": "FallbackToLogsOnError"},
		)
	}
	return map[string]any{
		"containers":         list,
		"volumes":            volumes,
		"nodeName":           "node-1.example.com",
		"restartPolicy":      "Always",
		"serviceAccountName": markName,
		"tolerations":        []any{map[string]any{"operator": "Exists"}},
	}
}

func probe(path string) map[string]any {
	return map[string]any{
		"httpGet":          map[string]any{"path": path, "port": 8443, "scheme": "HTTPS"},
		"periodSeconds":    10,
		"failureThreshold": 3,
	}
}

func ports(number int) []any {
	return []any{map[string]any{"name": "https", "port": number, "protocol": "TCP"}}
}

func conditions(types ...string) []any {
	var list []any
	for _, t := range types {
		list = append(
			list,
			map[string]any{"type": t, "status": "True", "lastProbeTime": nil, "lastTransitionTime": markTime,
				"message": "everything is as it should be", "reason": "AsExpected"},
		)
	}
	return list
}

func event() stamp {
	return newStamp(
		"v1",
		"Event",
		map[string]any{"count": 3, "eventTime": nil, "firstTimestamp": markTime, "lastTimestamp": markTime,
			"message": markWord, "reason": "Pulled", "reportingComponent": "", "reportingInstance": "", "type": "Normal",
			"source": map[string]any{"component": "kubelet", "host": "node-1.example.com"},
			"involvedObject": map[string]any{
				"apiVersion": "v1",
				"kind":       "Pod",
				"name":       markName,
				"namespace":  markSpace,
				"uid":        markUID,
				"fieldPath":  "spec.containers{main}",
			}},
	)
}

// message returns the message of an event; some are folded over two lines.
func message(r *random) string {
	s := fmt.Sprintf("Successfully pulled image %s-%s in %d.%03ds", r.word(), r.suffix(5), 1+r.n(9), r.n(1000))
	if r.percent(40) {
		s += fmt.Sprintf(
			"\n    after %s %s %s had %s the %s of %s", r.word(), r.word(), r.suffix(5), r.word(), r.word(), r.word(),
		)
	}
	return s
}

// secret returns the stamp of a service account's Secret. All have the same certificates and no
// token, because the collector omits tokens.
func secret(ca string) stamp {
	return newStamp(
		"v1",
		"Secret",
		map[string]any{"type": "kubernetes.io/service-account-token", "data": map[string]any{
			"ca.crt": base64.StdEncoding.EncodeToString(
				[]byte(ca + ca + ca + ca + ca),
			), "namespace": "b3BlbnNoaWZ0LW1vbml0b3Jpbmc=",
			"service-ca.crt": base64.StdEncoding.EncodeToString(
				[]byte(ca),
			), "token": "MTEwMyBieXRlcyBsb25n", markWord: "MjIgYnl0ZXMgbG9uZw=="}},
	)
}

// settings returns the stamp of a ConfigMap that holds a file which looks like a CR.
func settings() stamp {
	var b strings.Builder
	b.WriteString("apiVersion: config.example.com/v1\nkind: Configuration\nmetadata:\n  name: " + markName + "\n")
	for i, w := range words() {
		fmt.Fprintf(&b, "%s:\n  enabled: %v\n  mode: %s\n  limits: [%d, %d]\n", w, i%3 == 0, markWord, i, i*i)
	}
	return newStamp(
		"v1", "ConfigMap", map[string]any{"data": map[string]any{"config.yaml": b.String(), "version": "1"}},
	)
}

// dashboard returns the stamp of a ConfigMap with a large JSON text.
func dashboard(r *random) stamp {
	var b strings.Builder
	b.WriteString("{\n  \"panels\": [\n")
	for i := range 200 {
		fmt.Fprintf(
			&b,
			"    {\n      \"id\": %d,\n      \"title\": \"%s %s\",\n      \"type\": \"graph\",\n      \"targets\": [{\"expr\": \"sum(rate(%s_%s_total{namespace=\\\"%s\\\"}[5m]))\"}]\n    },\n",
			i,
			r.word(),
			r.word(),
			r.word(),
			r.word(),
			r.word(),
		)
	}
	b.WriteString("    {}\n  ],\n  \"title\": \"" + markWord + "\"\n}\n")
	return newStamp("v1", "ConfigMap", map[string]any{"data": map[string]any{"dashboard.json": b.String()}})
}

// bundle returns the stamp of a ConfigMap with the certificates that a cluster trusts.
func bundle(r *random) stamp {
	var b strings.Builder
	for range 60 {
		b.WriteString(r.certificate())
	}
	return newStamp("v1", "ConfigMap", map[string]any{"data": map[string]any{"ca-bundle.crt": b.String()}})
}

// sentence returns a description with a number of words.
func sentence(r *random, count int) string {
	all := make([]string, count)
	for i := range all {
		all[i] = r.word()
	}
	return strings.Join(all, " ")
}

func rules(r *random) stamp {
	var list []any
	for range 12 {
		list = append(list, map[string]any{
			"alert": r.word(),
			"for":   "15m",
			"expr":  "sum(rate(" + r.word() + "_total[5m])) by (job)\n  > 0\n",
			"annotations": map[string]any{
				"summary":     sentence(r, 8),
				"description": sentence(r, 25),
			},
			"labels": map[string]any{"severity": "warning"},
		})
	}
	return newStamp(
		"monitoring.coreos.com/v1",
		"PrometheusRule",
		map[string]any{"spec": map[string]any{"groups": []any{map[string]any{"name": markName, "rules": list}}}},
	)
}

func roleRules(count int) []any {
	var list []any
	for i := range count {
		list = append(list, map[string]any{
			"apiGroups": []any{""},
			"resources": []any{words()[i], words()[i+1]},
			"verbs":     []any{"get", "list", "watch"},
		})
	}
	return list
}

func binding(kind string) map[string]any {
	return map[string]any{
		"roleRef": map[string]any{"apiGroup": "rbac.authorization.k8s.io", "kind": kind, "name": markName},
		"subjects": []any{
			map[string]any{"kind": "ServiceAccount", "name": markName, "namespace": "openshift-operators"},
		},
	}
}

func serviceVersion(r *random) stamp {
	return newStamp("operators.coreos.com/v1alpha1", "ClusterServiceVersion", map[string]any{"spec": map[string]any{
		"description": sentence(r, 120), "displayName": markName, "version": "4.16.0", "relatedImages": images(r, 15),
		"install": map[string]any{
			"strategy": "deployment",
			"spec":     map[string]any{"deployments": []any{map[string]any{"name": markName, "spec": podSpec(1)}}},
		}},
		"status": map[string]any{"phase": "Succeeded", "conditions": conditions("InstallReady", "Succeeded")}})
}

func requestCount(r *random) stamp {
	var hours []any
	for range 24 {
		var users []any
		for range 5 {
			users = append(users, map[string]any{
				"requestCount": r.n(5000),
				"userAgent":    r.word() + "/v1.29",
				"username":     "system:serviceaccount:" + r.word(),
				"byVerb":       []any{map[string]any{"verb": "get", "requestCount": r.n(900)}},
			})
		}
		hours = append(hours, map[string]any{
			"requestCount": r.n(90000),
			"byNode":       []any{map[string]any{"nodeName": "10.0.0.11", "byUser": users}},
		})
	}
	return newStamp(
		"apiserver.openshift.io/v1",
		"APIRequestCount",
		map[string]any{"spec": map[string]any{"numberOfUsersToReport": 10},
			"status": map[string]any{"last24h": hours, "requestCount": r.n(99999)}},
	)
}

func related(r *random) []any {
	var list []any
	for range 12 {
		list = append(list, map[string]any{"group": "", "name": "openshift-" + r.word(), "resource": "namespaces"})
	}
	return list
}

func images(r *random, count int) []any {
	var list []any
	for range count {
		list = append(list, map[string]any{"names": []any{imageOf(r)}, "sizeBytes": 100_000 + r.n(900_000_000)})
	}
	return list
}

func machineConfig(r *random, ca string) stamp {
	file := func(name, source string) map[string]any {
		return map[string]any{
			"path":      "/etc/" + name,
			"mode":      420,
			"overwrite": true,
			"contents":  map[string]any{"source": source, "compression": ""},
		}
	}
	return newStamp(
		"machineconfiguration.openshift.io/v1",
		"MachineConfig",
		map[string]any{"spec": map[string]any{"kernelArguments": []any{"nosmt"}, "osImageURL": "",
			"config": map[string]any{
				"ignition": map[string]any{"version": "3.4.0"},
				"storage": map[string]any{"files": []any{
					file(
						"blob", "data:;base64,"+markWord,
					), file("ca.crt", "data:,"+url.PathEscape(ca)), file("motd", "data:,"+url.PathEscape(sentence(r, 30)))}},
			}}},
	)
}

// definition returns the stamp of a CRD: a tree of properties with their descriptions. The largest
// are twenty times the smallest.
func definition(r *random, name string) stamp {
	properties := map[string]any{}
	for range 15 + r.n(18)*r.n(18)/3 {
		inner := map[string]any{}
		for range 6 {
			inner[r.word()+r.suffix(2)] = map[string]any{"type": "string", "description": sentence(r, 10+r.n(30))}
		}
		properties[r.word()+r.suffix(2)] = map[string]any{
			"type":        "object",
			"description": sentence(r, 20),
			"properties":  inner,
		}
	}
	return newStamp("apiextensions.k8s.io/v1", "CustomResourceDefinition", map[string]any{"spec": map[string]any{
		"group": "example.com", "scope": "Namespaced", "names": map[string]any{"kind": strings.ToUpper(name[:1]) + name[1:], "plural": name + "s"},
		"versions": []any{
			map[string]any{
				"name":    "v1",
				"served":  true,
				"storage": true,
				"schema": map[string]any{"openAPIV3Schema": map[string]any{
					"type": "object", "properties": properties}},
			},
		}}})
}
