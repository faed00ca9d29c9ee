package org.terrace.proof;

import java.util.List;
import java.util.Map;
import java.util.StringJoiner;
import java.util.TreeMap;

/**
 * The outcome of a proof, part by part, as text for people and as {@code terrace-proof/1}.
 * Immutable but for the parts it is given.
 *
 * @param name what was put to the proof
 * @param seed that the histories began with
 * @param parts by name
 */
record Proof(String name, long seed, TreeMap<String, Part> parts) {
  private static final int VIOLATIONS_SHOWN = 20;

  /**
   * A part's counts by name, and what must not have happened.
   *
   * @param facts counts by name
   * @param violations in words; none if the proof holds
   */
  record Part(Map<String, Long> facts, List<String> violations) {}

  boolean held() {
    return parts.values().stream().allMatch(part -> part.violations.isEmpty());
  }

  /**
   * Lines for people.
   *
   * @param promise what is said to hold when nothing was violated
   * @param otherwise where to look when something was
   */
  String toText(String promise, String otherwise) {
    StringJoiner out = new StringJoiner(System.lineSeparator());
    parts.forEach((part, found) -> {
      found.facts.forEach((fact, value) -> out.add("%s: %,d %s".formatted(part, value, fact)));
      found.violations.stream()
          .limit(VIOLATIONS_SHOWN)
          .forEach(violation -> out.add(part + ": VIOLATION: " + violation));
    });
    out.add(held() ? "held: " + promise : "NOT held; " + otherwise);
    return out.toString();
  }

  String toJson() {
    StringJoiner all = new StringJoiner(", ");
    parts.forEach((part, found) -> {
      StringJoiner facts = new StringJoiner(", ", "{", "}");
      found.facts.forEach((fact, value) -> facts.add(quoted(fact) + ": " + value));
      List<String> violations = found.violations.stream().map(Proof::quoted).toList();
      all.add(quoted(part) + ": {\"facts\": " + facts + ", \"violations\": " + violations + "}");
    });
    return "{\"format\": \"terrace-proof/1\", \"proof\": %s, \"seed\": %d, \"held\": %b, \"parts\": {%s}}"
        .formatted(quoted(name), seed, held(), all);
  }

  static String quoted(String text) {
    return '"' + text.replace("\\", "\\\\").replace("\"", "\\\"").replace("\n", "\\n") + '"';
  }
}
