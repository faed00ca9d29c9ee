package org.terrace.studies;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.snakeyaml.engine.v2.nodes.Node;
import org.terrace.specification.Fields;
import org.terrace.specification.Problems;
import org.terrace.specification.Values;
import org.terrace.specification.Words;
import org.terrace.studies.design.PublishedClaim;
import org.terrace.studies.design.Study;
import org.terrace.studies.design.StudyDriver;

/** Reads the fields of a study. Confined to one thread. */
final class StudyReader {
  private static final Pattern TEXT = Pattern.compile("(?s).{1,2000}");
  private static final String A_SENTENCE = "a text of 1 to 2,000 characters";

  private final Problems problems;
  private final Map<String, StudyDriver> drivers;

  StudyReader(Problems problems, Map<String, StudyDriver> drivers) {
    this.problems = problems;
    this.drivers = new TreeMap<>(drivers);
  }

  Optional<Study> read(Node node) {
    return Fields.of(node, "the specification", problems).flatMap(this::read);
  }

  private Optional<Study> read(Fields fields) {
    fields.required("kind", Values.oneOf(Map.of("Study", "Study")));
    Map<String, String> names = new TreeMap<>();
    drivers.keySet().forEach(name -> names.put(name, name));
    Optional<String> name = fields.required("name", Values.oneOf(names));
    String paper = fields.required("paper", Values.text(TEXT, A_SENTENCE)).orElse("");
    String network = fields.optional("network", Values.network()).orElse(Values.LOOPBACK);
    long seed = fields.optional("seed", Values.seed()).orElse(1L);
    List<PublishedClaim> claims =
        fields.required("claims", Values.list(this::claim)).orElse(List.of());
    Optional<StudyDriver> driver = name.map(word -> drivers.get(word));
    driver.ifPresent(known -> requireClaims(fields, known, claims));
    Optional<StudyDriver.Plan> briefly = plan(fields, "short", driver);
    Optional<StudyDriver.Plan> asPublished = plan(fields, "full", driver);
    fields.finish();
    if (name.isEmpty() || briefly.isEmpty() || asPublished.isEmpty()) {
      return Optional.empty();
    }
    return Optional.of(
        new Study(name.get(), paper, network, seed, claims, briefly.get(), asPublished.get()));
  }

  private Optional<StudyDriver.Plan> plan(Fields fields, String key, Optional<StudyDriver> driver) {
    Optional<Fields> section =
        fields.required(key, (node, name, p) -> Fields.of(node, name, problems));
    if (driver.isEmpty() || section.isEmpty()) {
      return Optional.empty();
    }
    StudyDriver.Plan plan = driver.get().plan(new YamlParameters(section.get(), problems));
    section.get().finish();
    return Optional.of(plan);
  }

  private Optional<PublishedClaim> claim(Node node, String key, Problems unused) {
    Optional<Fields> fields = Fields.of(node, "a claim", problems);
    if (fields.isEmpty()) {
      return Optional.empty();
    }
    Optional<String> id = fields.get().required("id", Values.text(Values.NAME, "a name"));
    Optional<String> where = fields.get().required("where", Values.text(TEXT, A_SENTENCE));
    Optional<String> claim = fields.get().required("claim", Values.text(TEXT, A_SENTENCE));
    Optional<String> published = fields.get().required("published", Values.text(TEXT, A_SENTENCE));
    fields.get().finish();
    if (id.isEmpty() || where.isEmpty() || claim.isEmpty() || published.isEmpty()) {
      return Optional.empty();
    }
    return Optional.of(new PublishedClaim(id.get(), where.get(), claim.get(), published.get()));
  }

  /** A claim that nobody judges, or one that is judged and not stated, is a mistake in the file. */
  private void requireClaims(Fields fields, StudyDriver driver, List<PublishedClaim> claims) {
    Set<String> expected = new LinkedHashSet<>(driver.claims());
    List<String> seen = new ArrayList<>();
    for (PublishedClaim claim : claims) {
      if (!expected.contains(claim.id())) {
        problems.add(
            fields.keyNode("claims"), Words.unknown("claim", claim.id(), "claims", expected));
      } else if (seen.contains(claim.id())) {
        problems.add(fields.keyNode("claims"), "the claim '" + claim.id() + "' appears twice");
      }
      seen.add(claim.id());
    }
    expected.removeAll(seen);
    for (String missing : expected) {
      problems.add(fields.keyNode("claims"), "claims lacks '" + missing + "', which is judged");
    }
  }
}
