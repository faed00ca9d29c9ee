package org.terrace.collections;

import java.nio.file.Path;
import java.time.Duration;

/**
 * The place of a replica's checkpoint, and the interval at which it is written. Immutable.
 *
 * @param path the file; its folder must exist
 * @param period pause between two checkpoints
 */
public record CheckpointFile(Path path, Duration period) {
  /** Checks the period. */
  public CheckpointFile {
    if (!period.isPositive()) {
      throw new IllegalArgumentException("the period is positive, got " + period);
    }
  }
}
