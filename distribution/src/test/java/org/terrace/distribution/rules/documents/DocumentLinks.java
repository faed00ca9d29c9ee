package org.terrace.distribution.rules.documents;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The links between the documents: those of Markdown and of the few tags in it that lead to a file
 * of the house, or to a heading of a document by the anchor that its readers give it. What stands
 * in code is no link.
 */
public final class DocumentLinks {
  private static final String SUFFIX = ".md";
  private static final Pattern CODE = Pattern.compile("(?ms)^ {0,3}```.*?^ {0,3}```|`[^`\n]*`");
  private static final Pattern FENCED = Pattern.compile("(?ms)^ {0,3}```.*?^ {0,3}```");
  private static final Pattern LINK =
      Pattern.compile("\\]\\(\\s*([^)\\s]+)\\)|(?:src|srcset|href)=\"([^\"]+)\"");
  private static final Pattern ELSEWHERE = Pattern.compile("[a-z]+:.*");
  private static final Pattern HEADING = Pattern.compile("(?m)^#{1,6} +(.*?)[ #]*$");
  private static final Pattern LINKED = Pattern.compile("\\[([^]]*)]\\([^)]*\\)");

  private final Map<Path, Set<String>> anchors = new HashMap<>();
  private final List<String> breaches = new ArrayList<>();
  private int links;

  private DocumentLinks() {}

  /** The links of all documents below a folder, but for what a build has made. */
  public static DocumentLinks read(Path root) throws IOException {
    DocumentLinks found = new DocumentLinks();
    for (Path document : documents(root)) {
      found.read(root, document);
    }
    return found;
  }

  /** The number of links to files of the house. */
  public int links() {
    return links;
  }

  /** The sentences that name links to what is not there. */
  public List<String> breaches() {
    return breaches;
  }

  private static List<Path> documents(Path root) throws IOException {
    List<Path> documents = new ArrayList<>();
    List<Path> folders = new ArrayList<>(List.of(root));
    for (int i = 0; i < folders.size(); i++) {
      try (Stream<Path> entries = Files.list(folders.get(i))) {
        for (Path entry : entries.sorted().toList()) {
          String name = String.valueOf(entry.getFileName());
          if (Files.isDirectory(entry)) {
            if (!name.equals("target") && !name.startsWith(".")) {
              folders.add(entry);
            }
          } else if (name.endsWith(SUFFIX)) {
            documents.add(entry);
          }
        }
      }
    }
    return documents;
  }

  private void read(Path root, Path document) throws IOException {
    Matcher link = LINK.matcher(CODE.matcher(Files.readString(document)).replaceAll(""));
    while (link.find()) {
      String target = link.group(1) == null ? link.group(2) : link.group(1);
      if (ELSEWHERE.matcher(target).matches()) {
        continue;
      }
      links++;
      String[] parts = target.split("#", 2);
      Path file = parts[0].isEmpty() ? document : document.resolveSibling(parts[0]).normalize();
      if (!Files.exists(file)) {
        breaches.add(
            "%s links to %s, which is not there".formatted(root.relativize(document), target));
      } else if (parts.length > 1
          && file.toString().endsWith(SUFFIX)
          && !anchorsOf(file).contains(parts[1])) {
        breaches.add(
            "%s links to %s, which is no heading of %s"
                .formatted(root.relativize(document), target, file.getFileName()));
      }
    }
  }

  private Set<String> anchorsOf(Path document) throws IOException {
    Set<String> known = anchors.get(document);
    if (known == null) {
      known = anchorsOf(Files.readString(document));
      anchors.put(document, known);
    }
    return known;
  }

  /** The anchors of a text's headings: of those that are alike each later one has a number. */
  static Set<String> anchorsOf(String text) {
    Set<String> anchors = new HashSet<>();
    Map<String, Integer> alike = new HashMap<>();
    Matcher heading = HEADING.matcher(FENCED.matcher(text).replaceAll(""));
    while (heading.find()) {
      String words = LINKED.matcher(heading.group(1)).replaceAll("$1").toLowerCase(Locale.ROOT);
      String anchor = words.replaceAll("[^\\p{L}\\p{N}_ -]", "").replace(' ', '-');
      int earlier = alike.merge(anchor, 1, Integer::sum) - 1;
      anchors.add(earlier == 0 ? anchor : anchor + "-" + earlier);
    }
    return anchors;
  }
}
