package org.terrace.cli.kubernetes;

import java.util.Map;
import java.util.Optional;
import org.terrace.experiment.Experiment;
import org.terrace.experiment.Tier;

/** The names, labels and places of an experiment's objects. Immutable. */
record Names(String base, Optional<String> namespace) {
  /** The component of the jobs that fill databases. */
  static final String LOADER = "loader";

  static Names of(Experiment experiment, KubernetesOptions options) {
    return new Names(experiment.name().replace('.', '-'), options.namespace());
  }

  /** The name of a tier's workload, and of the service that its pods' names belong to. */
  String tier(Tier tier) {
    return base + "-" + tier.label();
  }

  /** The name of a server's pod, and of the service whose address stays when the pod's does not. */
  String server(Tier tier, int number) {
    return tier(tier) + "-" + number;
  }

  String secret(String what) {
    return base + "-" + what;
  }

  /** The beginning of every object. */
  Map<String, Object> object(String version, String kind, String name, String component) {
    Map<String, Object> metadata = Trees.map("name", name);
    namespace.ifPresent(word -> metadata.put("namespace", word));
    metadata.put("labels", labels(component));
    return Trees.map("apiVersion", version, "kind", kind, "metadata", metadata);
  }

  /** The labels of an object. */
  Map<String, Object> labels(String component) {
    Map<String, Object> labels = Trees.map("app.kubernetes.io/name", base);
    labels.putAll(selector(component));
    labels.put("app.kubernetes.io/part-of", base);
    labels.put("app.kubernetes.io/managed-by", "terrace");
    return labels;
  }

  /** The labels by which a component's pods are selected. */
  Map<String, Object> selector(String component) {
    return Trees.map("app.kubernetes.io/instance", base, "app.kubernetes.io/component", component);
  }
}
