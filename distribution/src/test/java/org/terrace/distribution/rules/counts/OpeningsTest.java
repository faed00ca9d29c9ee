package org.terrace.distribution.rules.counts;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.terrace.distribution.rules.house.House;
import org.terrace.distribution.rules.house.PlantedHouse;

public class OpeningsTest {
  private static final String RATCHET = "docstrings-that-define-nothing";

  @TempDir Path folder;

  @Test
  void aPublicDocstringThatBeginsWithAPronounOrACircumstanceIsNamed() throws IOException {
    String members =
        """
        {
          /** It was done. */
          public static final int DONE = 1;
          /** Nobody waits. */
          public %1$s() {}
          /** With that limit. */
          protected void limit() {}
          /** This is said, and no more. */
          public void say() {}
          /**
           * One
           * of the many.
           */
          public enum Kind {
            /** Its end has come. */
            ENDED
          }
          /** A shape. */
          public interface Shape {
            /** So the shape is drawn. */
            void draw();
          }
          /** It cannot be seen. */
          void hidden() {}
        }
        """;
    House house =
        new PlantedHouse(folder)
            .module("core")
            .main("core", "package p.a; public class Shown " + members.formatted("Shown"))
            .main("core", "package p.a; class Unseen " + members.formatted("Unseen"))
            .test("core", "package p.a; public class ShownTest " + members.formatted("ShownTest"))
            .file("core/src/main/java/p/a/package-info.java", "/** As it is. */", "package p.a;")
            .build();

    assertThat(SourceCounts.of(house).get(RATCHET))
        .containsExactlyInAnyOrder(
            "p.a.Shown.DONE: It was done.",
            "p.a.Shown.<init>: Nobody waits.",
            "p.a.Shown.limit: With that limit.",
            "p.a.Shown.say: This is said, and no more.",
            "p.a.Shown.Kind: One",
            "p.a.Shown.Kind.ENDED: Its end has come.",
            "p.a.Shown.Shape.draw: So the shape is drawn.",
            "package p.a: As it is.");
  }

  @Test
  void theOddestOpeningsAreNamedAtHiddenMembersToo() throws IOException {
    String source =
        """
        package p.a;
        class Unseen {
          /** Has it not say so, unless it has. */
          private void keep() {}
          /** So often is it tried. */
          private static final int TRIES = 1;
          /** As above. */
          private void keep(int more) {}
          /** One of which nothing is known. */
          Unseen() {}
        }
        """;
    House house = new PlantedHouse(folder).module("core").main("core", source).build();

    assertThat(SourceCounts.of(house).get(RATCHET))
        .containsExactlyInAnyOrder(
            "p.a.Unseen.keep: Has it not say so, unless it has.",
            "p.a.Unseen.TRIES: So often is it tried.",
            "p.a.Unseen.keep: As above.",
            "p.a.Unseen.<init>: One of which nothing is known.");
  }

  @Test
  void anOpeningThatDefinesIsNotNamed() {
    List<String> defining =
        List.of(
            "The time in which it ends.",
            "Whether it was told.",
            "These options with another limit.",
            "This machine as a host.",
            "One address.",
            "Itself a shape.",
            "Ending of what was begun.");

    assertThat(defining).noneMatch(docstring -> Openings.defineNothing(docstring, true));
  }
}
