package org.terrace.studies.design;

import java.time.Duration;
import java.util.List;
import java.util.Set;

/**
 * The parameters of one run of a study, as its specification gives them. Each call names a key,
 * what may be there, and what holds when nothing is; what is wrong is kept and reported with all
 * else that is wrong, by line. Confined to one thread.
 */
public interface Parameters {
  /** A whole number. */
  int integer(String key, int least, int most, int otherwise);

  /** Whole numbers; at least one. */
  List<Integer> integers(String key, int least, int most, List<Integer> otherwise);

  /** A duration. */
  Duration duration(String key, Duration most, Duration otherwise);

  /** Durations; at least one. */
  List<Duration> durations(String key, Duration most, List<Duration> otherwise);

  /** Words out of a set; at least one. */
  List<String> words(String key, Set<String> allowed, List<String> otherwise);

  /** Yes or no. */
  boolean flag(String key, boolean otherwise);
}
