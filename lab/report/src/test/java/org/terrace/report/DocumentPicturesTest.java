package org.terrace.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The pictures of the documents, which {@code tools/screenshots} takes. */
class DocumentPicturesTest {
  /** The largest picture that a page of the documentation may ask its reader to load. */
  static final int MOST_BYTES = 200_000;

  private static final Path ROOT = Path.of("").toAbsolutePath().getParent().getParent();
  private static final Pattern NAME = Pattern.compile("images/([\\w-]+\\.png)");

  @Test
  void everyPictureIsShownSomewhereAndEveryOneShownIsThere() throws IOException {
    Set<String> shown = new TreeSet<>();
    List<Path> documents;
    try (Stream<Path> guides = Files.list(ROOT.resolve("docs/guide"))) {
      documents = Stream.concat(Stream.of(ROOT.resolve("README.md")), guides).toList();
    }
    for (Path document : documents) {
      Matcher names = NAME.matcher(Files.readString(document));
      while (names.find()) {
        shown.add(names.group(1));
      }
    }

    try (Stream<Path> pictures = Files.list(ROOT.resolve("docs/images"))) {
      assertThat(pictures.map(each -> each.getFileName().toString()))
          .containsExactlyInAnyOrderElementsOf(shown);
    }
  }

  @Test
  void noPictureIsTooLargeToBeLoadedOnTheWay() throws IOException {
    try (Stream<Path> pictures = Files.list(ROOT.resolve("docs/images"))) {
      assertThat(pictures).allSatisfy(each -> assertThat(Files.size(each)).isLessThan(MOST_BYTES));
    }
  }
}
