package org.terrace.cli.kubernetes;

import java.util.Map;
import java.util.Optional;

/**
 * The settings of manifests that no specification has. Immutable.
 *
 * @param namespace the namespace of all objects; empty: that of whoever applies them
 * @param images images by the label of a tier, {@code app} for example; those of tiers that are
 *     programs of the user's own have to be among them
 * @param image the image of Terrace, for its own servers
 * @param storage the size of each volume, such as {@code 2Gi}
 */
public record KubernetesOptions(
    Optional<String> namespace, Map<String, String> images, String image, String storage) {
  /** Copies the images. */
  public KubernetesOptions {
    images = Map.copyOf(images);
  }
}
