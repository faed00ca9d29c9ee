package org.terrace.scaling.economy;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.terrace.scaling.Configuration;

/**
 * The configuration that earned most under a load, of those that were tried. Immutable.
 *
 * @param users the load
 * @param configuration the servers and settings
 * @param trials its trials that were done
 * @param profitPerHour its mean profit
 * @param low the lower end of the profit's 95 % interval; null where no trial like it was repeated
 * @param high the upper end
 * @param tried the configurations that were tried under the load, this one included
 * @param ties those of them that cannot be told from it; all others where no trial was repeated
 * @param failed its trials that failed
 * @param failing the others of which trials failed, those of which none was done included
 */
public record FoundBest(
    int users,
    Configuration configuration,
    int trials,
    double profitPerHour,
    @Nullable Double low,
    @Nullable Double high,
    int tried,
    List<Configuration> ties,
    int failed,
    List<Configuration> failing) {
  /** Copies the lists. */
  public FoundBest {
    ties = List.copyOf(ties);
    failing = List.copyOf(failing);
  }
}
