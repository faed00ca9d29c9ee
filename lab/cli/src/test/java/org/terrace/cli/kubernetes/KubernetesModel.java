package org.terrace.cli.kubernetes;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.PodTemplateSpec;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.apps.StatefulSet;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.fabric8.kubernetes.api.model.networking.v1.NetworkPolicy;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.MapperFeature;
import tools.jackson.databind.cfg.MapperConfig;
import tools.jackson.databind.introspect.Annotated;
import tools.jackson.databind.introspect.JacksonAnnotationIntrospector;
import tools.jackson.databind.json.JsonMapper;

/** The reader of manifests by the model that is made from the API's published definition. */
final class KubernetesModel {
  private static final Map<String, Class<? extends HasMetadata>> KINDS =
      Map.of(
          "v1/ConfigMap", ConfigMap.class,
          "v1/Service", Service.class,
          "apps/v1/Deployment", Deployment.class,
          "apps/v1/StatefulSet", StatefulSet.class,
          "batch/v1/Job", Job.class,
          "networking.k8s.io/v1/NetworkPolicy", NetworkPolicy.class);

  /** Refuses fields that a type does not have, and values of another type. */
  private static final JsonMapper STRICT =
      JsonMapper.builder()
          .annotationIntrospector(new WithoutExtras())
          .enable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
          .disable(MapperFeature.ALLOW_COERCION_OF_SCALARS)
          .build();

  private KubernetesModel() {}

  static List<HasMetadata> read(String text) {
    List<HasMetadata> objects = new ArrayList<>();
    for (Object tree : new Load(LoadSettings.builder().build()).loadAllFromString(text)) {
      Map<?, ?> map = (Map<?, ?>) tree;
      String kind = map.get("apiVersion") + "/" + map.get("kind");
      objects.add(STRICT.convertValue(map, Objects.requireNonNull(KINDS.get(kind), kind)));
    }
    return objects;
  }

  /** The pods of an object that makes some. */
  static Optional<PodTemplateSpec> template(HasMetadata object) {
    return switch (object) {
      case Deployment deployment -> Optional.of(deployment.getSpec().getTemplate());
      case StatefulSet set -> Optional.of(set.getSpec().getTemplate());
      case Job job -> Optional.of(job.getSpec().getTemplate());
      default -> Optional.empty();
    };
  }

  /** The model keeps fields that it does not know beside those that it does. */
  private static final class WithoutExtras extends JacksonAnnotationIntrospector {
    private static final long serialVersionUID = 1;

    @Override
    public Boolean hasAnySetter(MapperConfig<?> config, Annotated annotated) {
      return false;
    }
  }
}
