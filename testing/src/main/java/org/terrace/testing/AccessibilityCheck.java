package org.terrace.testing;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import tools.jackson.databind.JsonNode;

/**
 * The violations of the Web Content Accessibility Guidelines, levels A and AA, that axe-core finds
 * on the page a browser shows. Stateless.
 */
public final class AccessibilityCheck {
  private static final String PROGRAM = "/axe.min.js";
  private static final String RUN =
      "axe.run({runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa',"
          + " 'best-practice']}).then(result => result.violations)";

  private AccessibilityCheck() {}

  /** The violations, one a rule and element; empty on a page without any. */
  public static List<String> violations(HeadlessChromium chromium) {
    chromium.evaluate(program() + ";0");
    List<String> found = new ArrayList<>();
    for (JsonNode violation : chromium.evaluate(RUN)) {
      for (JsonNode node : violation.path("nodes")) {
        found.add(
            violation.path("id").asString()
                + ": "
                + node.path("html").asString()
                + " "
                + node.path("failureSummary").asString());
      }
    }
    return found;
  }

  private static String program() {
    try (InputStream input = AccessibilityCheck.class.getResourceAsStream(PROGRAM)) {
      if (input == null) {
        throw new IllegalStateException("no " + PROGRAM + " on the class path");
      }
      return new String(input.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
