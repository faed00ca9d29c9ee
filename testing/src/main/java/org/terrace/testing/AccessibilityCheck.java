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
  private static final String OPTIONS =
      "{runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'],"
          + " resultTypes: ['violations']}";

  private static final List<String> THEMES = List.of("light", "dark");
  private static final List<Integer> WIDTHS = List.of(1400, 390);
  private static final int HIGH = 900;

  private AccessibilityCheck() {}

  /**
   * The violations in a wide and in a narrow window, in each theme, each with where it is; in the
   * short build in a wide and light and in a narrow and dark one. Leaves the browser dark and
   * narrow.
   *
   * @param load loads the page, once for each width
   */
  public static List<String> violationsEverywhere(HeadlessChromium chromium, Runnable load) {
    List<String> found = new ArrayList<>();
    for (int i = 0; i < WIDTHS.size(); i++) {
      int width = WIDTHS.get(i);
      chromium.resize(width, HIGH);
      load.run();
      for (String theme : THEMES.subList(Depth.of(0, i), Depth.of(THEMES.size(), i + 1))) {
        chromium.media("prefers-color-scheme", theme);
        violations(chromium).forEach(each -> found.add(theme + ", " + width + " wide: " + each));
      }
    }
    return found;
  }

  /** The violations, one a rule and element; empty on a page without any. */
  public static List<String> violations(HeadlessChromium chromium) {
    return violations(chromium, "html");
  }

  /**
   * The violations in a part of the page.
   *
   * @param selector of the elements that are looked at, with all in them; without quotes
   */
  public static List<String> violations(HeadlessChromium chromium, String selector) {
    chromium.evaluate(program() + ";0");
    List<String> found = new ArrayList<>();
    String run = "axe.run('" + selector + "', " + OPTIONS + ").then(result => result.violations)";
    for (JsonNode violation : chromium.evaluate(run)) {
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
