package org.terrace.seven;

import java.sql.Connection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.terrace.seven.application.Effect;
import org.terrace.seven.application.Sql;

/**
 * The comparison of what clients were told of an update with its effects in the database.
 *
 * @param method the update
 * @param acknowledged how many of its calls were told to be done
 * @param unknown how many ended without a word whether they were
 * @param effects how many the database shows
 * @param missing how many acknowledged ones it does not show
 * @param tooMany how many it shows beyond one for each acknowledged call and one for each unknown
 */
record EffectAudit(
    String method, int acknowledged, int unknown, int effects, int missing, int tooMany) {

  /** Compares, for each kind of effect; no call may be under way. */
  static List<EffectAudit> of(
      List<Effect> effects, List<UpdateReceipt> told, Connection connection) {
    Sql sql = new Sql(connection);
    return effects.stream()
        .map(effect ->
            of(
                effect.method(),
                told.stream().filter(each -> each.method().equals(effect.method())).toList(),
                sql.all(row -> row.getLong(1), effect.keys())))
        .toList();
  }

  private static EffectAudit of(String method, List<UpdateReceipt> told, List<Long> there) {
    Map<Long, Integer> surplus = new HashMap<>();
    there.forEach(key -> surplus.merge(key, 1, Integer::sum));
    int unknown = 0;
    for (UpdateReceipt each : told) {
      if (each.key().isPresent()) {
        surplus.merge(each.key().getAsLong(), -1, Integer::sum);
      } else {
        unknown++;
      }
    }
    int missing = 0;
    int untold = 0;
    for (int difference : surplus.values()) {
      missing += Math.max(0, -difference);
      untold += Math.max(0, difference);
    }
    return new EffectAudit(
        method,
        told.size() - unknown,
        unknown,
        there.size(),
        missing,
        Math.max(0, untold - unknown));
  }

  boolean holds() {
    return missing == 0 && tooMany == 0;
  }

  /** The sentence that tells what is wrong. */
  String violation() {
    return "%,d calls acknowledged, %,d unknown, %,d effects: %,d missing, %,d too many"
        .formatted(acknowledged, unknown, effects, missing, tooMany);
  }
}
