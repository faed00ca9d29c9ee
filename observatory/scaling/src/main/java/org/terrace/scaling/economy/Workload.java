package org.terrace.scaling.economy;

import java.util.Collections;
import java.util.Comparator;
import java.util.Map;
import java.util.TreeMap;
import org.terrace.scaling.Configuration;

/**
 * A number of users and what a mesh varies of that which they ask for. Whoever runs servers chooses
 * neither, so configurations are compared under one workload. Immutable; ordered by users, then by
 * what is varied.
 *
 * @param users the emulated users
 * @param variation the varied fields of the load, as in {@link Configuration#loadVariations}; empty
 *     where none is
 */
public record Workload(int users, Map<String, String> variation) implements Comparable<Workload> {
  private static final Comparator<Workload> ORDER =
      Comparator.comparingInt(Workload::users).thenComparing(each -> each.variation().toString());

  /** Sorts the fields. */
  public Workload {
    variation = Collections.unmodifiableMap(new TreeMap<>(variation));
  }

  /** The workload of a configuration's trials with these users. */
  static Workload of(Configuration configuration, int users) {
    return new Workload(users, configuration.loadVariations());
  }

  @Override
  public int compareTo(Workload other) {
    return ORDER.compare(this, other);
  }
}
