package org.terrace.cli.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.apps.StatefulSet;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Looks for what belongs together among the objects of manifests. */
final class ManifestObjects {
  private ManifestObjects() {}

  static <T> List<T> of(List<HasMetadata> objects, Class<T> type) {
    return objects.stream().filter(type::isInstance).map(type::cast).toList();
  }

  /** The one workload whose pods have these labels. */
  static HasMetadata onlyOneOf(List<HasMetadata> objects, Map<String, String> labels) {
    List<HasMetadata> found = allOf(objects, labels);
    assertThat(found).as("pods with %s", labels).hasSize(1);
    return found.getFirst();
  }

  /** The first workload whose pods have these labels: databases may be filled by several. */
  static HasMetadata onlyOneOfComponent(List<HasMetadata> objects, Map<String, String> labels) {
    List<HasMetadata> found = allOf(objects, labels);
    assertThat(found).as("pods with %s", labels).isNotEmpty();
    return found.getFirst();
  }

  static List<HasMetadata> allOf(List<HasMetadata> objects, Map<String, String> labels) {
    return objects.stream()
        .filter(object ->
            KubernetesModel.template(object)
                .filter(template ->
                    template.getMetadata().getLabels().entrySet().containsAll(labels.entrySet()))
                .isPresent())
        .toList();
  }

  static String component(Map<String, String> labels) {
    return labels.getOrDefault("app.kubernetes.io/component", "");
  }

  static Container server(HasMetadata workload) {
    return KubernetesModel.template(workload).orElseThrow().getSpec().getContainers().getFirst();
  }

  static int port(HasMetadata workload) {
    return server(workload).getPorts().getFirst().getContainerPort();
  }

  static List<String> podNames(HasMetadata workload) {
    List<String> names = new ArrayList<>();
    if (workload instanceof StatefulSet set) {
      int first = set.getSpec().getOrdinals().getStart();
      for (int number = first; number < first + set.getSpec().getReplicas(); number++) {
        names.add(set.getMetadata().getName() + "-" + number);
      }
    }
    return names;
  }
}
