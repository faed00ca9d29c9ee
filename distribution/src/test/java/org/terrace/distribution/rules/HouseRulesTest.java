package org.terrace.distribution.rules;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** The rules of the house, asked of the house. */
class HouseRulesTest {
  private static final Path ROOT = Path.of(System.getProperty("terrace.root"));

  @Test
  void decisionsAreIndexedAndFollowed() throws IOException {
    assertThat(DecisionIndex.read(ROOT).breaches()).isEmpty();
  }
}
