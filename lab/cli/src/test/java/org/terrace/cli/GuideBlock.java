package org.terrace.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * A fenced block of the README or of a guide, such as a specification or a query. Immutable.
 *
 * @param page the file's name
 * @param language the word behind the fence; empty if there is none
 * @param text the lines within
 */
record GuideBlock(String page, String language, String text) {
  static final Path ROOT = Path.of(System.getProperty("terrace.root"));
  private static final Pattern FENCED = Pattern.compile("(?ms)^```(\\w*)\n(.*?)^```");

  /** All blocks, those of a page in their order. */
  static List<GuideBlock> all() throws IOException {
    List<GuideBlock> found = new ArrayList<>();
    try (Stream<Path> guides = Files.list(ROOT.resolve("docs/guide"))) {
      List<Path> pages = new ArrayList<>(List.of(ROOT.resolve("README.md")));
      guides.filter(each -> each.toString().endsWith(".md")).sorted().forEach(pages::add);
      for (Path page : pages) {
        Matcher block = FENCED.matcher(Files.readString(page));
        while (block.find()) {
          found.add(
              new GuideBlock(String.valueOf(page.getFileName()), block.group(1), block.group(2)));
        }
      }
    }
    return found;
  }

  /** The page and the first line, by which a test names it. */
  @Override
  public String toString() {
    return page + ": " + text.lines().findFirst().orElse("");
  }
}
