package org.terrace.collections;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.terrace.collections.replication.Acknowledgement;
import org.terrace.collections.structures.causality.Dot;

/**
 * One call of a history: what it saw at the key, what it put there (null for a removal), and who
 * held it when it was acknowledged.
 */
public final class Call {
  final String key;
  final Set<String> seen;
  final @Nullable String value;
  final Dot dot;
  final Acknowledgement acknowledgement;
  final int level;
  public final Map<String, Long> holders = new HashMap<>();
  final long crashesBefore;
  public boolean acknowledged;

  /** The members that its level asks for, by identity, and since which update of its writer. */
  Map<Long, Long> asked = Map.of();

  Call(
      String key,
      Set<String> seen,
      @Nullable String value,
      Dot dot,
      Acknowledgement acknowledgement,
      int level,
      long crashesBefore) {
    this.key = key;
    this.seen = seen;
    this.value = value;
    this.dot = dot;
    this.acknowledgement = acknowledgement;
    this.level = level;
    this.crashesBefore = crashesBefore;
  }

  /**
   * Live is exactly what was put by an applied call and was seen by no applied call at its key.
   *
   * @param applied whether the call with that dot has been applied
   * @param contents by replica and key
   * @param unsureKeys keys of calls of which nobody knows what they saw
   */
  static List<String> contentViolations(
      Iterable<Call> calls,
      Predicate<Dot> applied,
      Map<String, Map<String, Set<String>>> contents,
      Set<String> unsureKeys) {
    Map<String, Set<String>> expected = new TreeMap<>();
    Set<String> superseded = new HashSet<>();
    for (Call call : calls) {
      if (applied.test(call.dot)) {
        superseded.addAll(call.seen);
        if (call.value != null) {
          expected.computeIfAbsent(call.key, absent -> new TreeSet<>()).add(call.value);
        }
      }
    }
    expected.values().forEach(values -> values.removeAll(superseded));
    expected.values().removeIf(Set::isEmpty);
    expected.keySet().removeAll(unsureKeys);
    List<String> violations = new ArrayList<>();
    contents.forEach((replica, all) -> {
      Map<String, Set<String>> actual = new TreeMap<>(all);
      actual.keySet().removeAll(unsureKeys);
      if (!actual.equals(expected)) {
        violations.add(replica + " has " + actual + ", expected " + expected);
      }
    });
    return violations;
  }
}
