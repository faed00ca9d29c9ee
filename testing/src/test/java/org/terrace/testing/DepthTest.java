package org.terrace.testing;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The depth of a build as its tests are told it. */
class DepthTest {
  private static final String PROPERTY = "terrace.depth";
  private static final String OF_THIS_BUILD = System.getProperty(PROPERTY);

  @AfterEach
  void restore() {
    told(OF_THIS_BUILD);
  }

  @Test
  void theShortBuildRepeatsLess() {
    told("short");

    assertThat(Depth.of(300, 40)).isEqualTo(40);
    assertThat(Depth.databases()).containsExactly("postgresql");
  }

  @Test
  void whoeverIsNotToldOfTheShortBuildRunsAll() {
    for (String depth : new String[] {null, "", "whole", "Short"}) {
      told(depth);

      assertThat(Depth.of(300, 40)).as(depth).isEqualTo(300);
      assertThat(Depth.databases()).as(depth).containsExactly("postgresql", "mariadb");
    }
  }

  /** Runs in whole builds alone: a short one that does not leave it out fails. */
  @Test
  @Tag("long")
  void theShortBuildRunsNoLongTest() {
    assertThat(OF_THIS_BUILD).isNotEqualTo("short");
  }

  private static void told(String depth) {
    if (depth == null) {
      System.clearProperty(PROPERTY);
    } else {
      System.setProperty(PROPERTY, depth);
    }
  }
}
