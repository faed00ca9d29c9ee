package org.terrace.specification;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The specifications to begin with are what the readers read, and mention what they know. */
class SpecificationTemplateTest {
  /** A line of a field that is left out. */
  private static final Pattern LEFT_OUT = Pattern.compile("#( *[a-z][\\w-]*:.*)");

  private static final Pattern TOP = Pattern.compile("(?m)^#?([a-z][\\w-]*):");

  /** Fields of programs of one's own alone. */
  private static final Set<String> OF_PROGRAMS = Set.of("tiers");

  /** Fields of the servers that come with Terrace alone, refused beside a program. */
  private static final Set<String> OF_THE_BOARD =
      Set.of(
          "application",
          "database",
          "replication",
          "scheduler",
          "web",
          "heap",
          "collector",
          "data");

  @TempDir Path folder;

  @ParameterizedTest
  @EnumSource
  void itIsReadAsItIs(SpecificationTemplate template) {
    assertThatCode(() -> read(template, template.text())).doesNotThrowAnyException();
  }

  @ParameterizedTest
  @EnumSource
  void whatItLeavesOutIsReadOnceItsLinesAreUncommented(SpecificationTemplate template) {
    List<String> lines = template.text().lines().toList();
    List<List<Integer>> groups = groups(lines);
    assertThat(groups).hasSizeGreaterThan(2);

    for (List<Integer> group : groups) {
      List<String> changed = new ArrayList<>(lines);
      group.forEach(at -> changed.set(at, changed.get(at).substring(1)));
      assertThatCode(() -> read(template, String.join("\n", changed)))
          .as("with %s", group.stream().map(lines::get).toList())
          .doesNotThrowAnyException();
    }
  }

  @Test
  void thatOfAnExperimentMentionsEveryField() {
    assertThat(mentioned(SpecificationTemplate.EXPERIMENT))
        .containsExactlyInAnyOrderElementsOf(without(fields(), OF_PROGRAMS));
  }

  @Test
  void thatOfAProgramMentionsEveryFieldBesideOnesOfTheBoard() {
    assertThat(mentioned(SpecificationTemplate.PROGRAM))
        .containsExactlyInAnyOrderElementsOf(without(fields(), OF_THE_BOARD));
  }

  @Test
  void thatOfAMeshMentionsEveryFieldOfItsOwn() {
    assertThat(mentioned(SpecificationTemplate.MESH)).containsAll(MeshReader.OWN);
  }

  @Test
  void aFieldThatIsMentionedNowhereIsFound() {
    String text = SpecificationTemplate.EXPERIMENT.text().replaceAll("(?m)^#?heap:.*$", "");

    assertThat(mentioned(text)).doesNotContain("heap").contains("collector", "kind");
  }

  private void read(SpecificationTemplate template, String text) throws IOException {
    String name = Files.writeString(folder.resolve(template.fileName()), text).toString();
    switch (template) {
      case MESH -> SpecificationReader.readMesh(name, text);
      case EXPERIMENT, PROGRAM -> {
        SpecificationReader.read(name, text);
        assertThat(new ExperimentSchema().errors(text)).isEmpty();
      }
    }
  }

  /** The lines of fields that are left out, those that follow one another together. */
  private static List<List<Integer>> groups(List<String> lines) {
    List<List<Integer>> groups = new ArrayList<>();
    for (int at = 0; at < lines.size(); at++) {
      if (!LEFT_OUT.matcher(lines.get(at)).matches()) {
        continue;
      }
      if (groups.isEmpty() || groups.getLast().getLast() != at - 1) {
        groups.add(new ArrayList<>());
      }
      groups.getLast().add(at);
    }
    return groups;
  }

  /** The fields that the published schema has, which the reader's own tests hold to it. */
  private static Set<String> fields() {
    JsonNode schema = JsonMapper.shared().readTree(ExperimentSchema.text());
    return new TreeSet<>(schema.path("properties").propertyNames());
  }

  private static Set<String> without(Set<String> all, Set<String> some) {
    assertThat(all).containsAll(some);
    Set<String> left = new TreeSet<>(all);
    left.removeAll(some);
    return left;
  }

  private static Set<String> mentioned(SpecificationTemplate template) {
    return mentioned(template.text());
  }

  private static Set<String> mentioned(String text) {
    Set<String> fields = new TreeSet<>();
    Matcher matcher = TOP.matcher(text);
    while (matcher.find()) {
      fields.add(matcher.group(1));
    }
    return fields;
  }
}
