package org.terrace.distribution;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.terrace.studies.Studies;
import org.terrace.studies.design.Study;

/** The studies that come with the project. */
class StudiesTest {
  static List<Path> specifications() throws IOException {
    try (Stream<Path> files = Files.list(SourceTree.root().resolve("studies"))) {
      return files.filter(file -> file.toString().endsWith(".yaml")).sorted().toList();
    }
  }

  @ParameterizedTest
  @MethodSource("specifications")
  void eachIsReadAndStatesEveryClaimThatIsJudged(Path file) throws IOException {
    Study study = Studies.read(file.toString(), Files.readString(file));

    assertThat(file).hasFileName(study.name() + ".yaml");
    assertThat(study.claims())
        .extracting(claim -> claim.id())
        .containsExactlyInAnyOrderElementsOf(Studies.all().get(study.name()).claims());
  }

  @Test
  void eachDriverHasASpecification() throws IOException {
    assertThat(specifications())
        .extracting(file -> file.getFileName().toString())
        .containsExactlyInAnyOrderElementsOf(
            Studies.all().keySet().stream().map(name -> name + ".yaml").toList());
  }
}
