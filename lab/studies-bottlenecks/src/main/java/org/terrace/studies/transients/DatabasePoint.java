package org.terrace.studies.transients;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The database's N* at its fastest clock, beyond which a window counts as congested in every run.
 * Immutable.
 *
 * @param load that of the analysis, or else the knee of the windows of both runs at the fastest
 *     clock; where there is neither, the highest by the paper's own rule of any run; null where
 *     nothing gives one
 * @param isIdentified whether it is that of the analysis
 */
record DatabasePoint(@Nullable Double load, boolean isIdentified) {
  private static final List<TransientSetting> FASTEST =
      List.of(TransientSetting.FASTEST_HIGH, TransientSetting.FASTEST_MIDDLE);

  /** The point that the runs give. */
  static DatabasePoint of(TransientResults results) {
    Double identified = identified(results);
    if (identified != null) {
      return new DatabasePoint(identified, true);
    }
    List<Windows> fastest = new ArrayList<>();
    for (TransientSetting setting : FASTEST) {
      results.of(setting).ifPresent(run -> fastest.add(run.paperWindows()));
    }
    Double knee = Knee.of(fastest);
    return new DatabasePoint(knee != null ? knee : published(results), false);
  }

  private static @Nullable Double identified(TransientResults results) {
    for (TransientSetting setting : FASTEST) {
      Optional<TransientRun> run = results.of(setting);
      if (run.isPresent() && run.get().congestionPoint() != null) {
        return run.get().congestionPoint();
      }
    }
    return null;
  }

  private static @Nullable Double published(TransientResults results) {
    Double highest = null;
    for (TransientRun run : results.runs()) {
      Double found = run.publishedPoint();
      if (run.setting().kind() == TransientSetting.Case.GOVERNOR
          && found != null
          && (highest == null || found > highest)) {
        highest = found;
      }
    }
    return highest;
  }
}
