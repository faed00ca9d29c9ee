package org.terrace.distribution.rules;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The index of {@code docs/decisions}, made from the heads of its pages and from who cites them.
 *
 * <p>Started with the project's folder as its argument it writes {@code docs/decisions/README.md};
 * {@code ./build format} does so. It uses the JDK alone, so that it runs from its source.
 */
public final class DecisionIndex {
  private static final Pattern CITATION = Pattern.compile("[Dd]ecisions?[/ ](\\d{3,4})\\b");
  private static final Pattern QUOTED = Pattern.compile("`([^`]+)`");
  private static final Pattern NUMBER = Pattern.compile("\\d{4}");
  private static final Set<String> SKIPPED = Set.of("target", ".git", ".mvn", "node_modules");
  private static final Set<String> TEXTS =
      Set.of("java", "md", "xml", "sh", "yaml", "yml", "properties", "txt", "js", "css", "idl");
  private static final Set<String> SCRIPTS = Set.of("build", "terrace", "run", "release-archive");

  private final Path root;
  private final Path folder;
  private final List<DecisionPage> pages = new ArrayList<>();
  private final Map<String, Set<Path>> citations = new TreeMap<>();
  private final Set<String> names = new TreeSet<>();

  private DecisionIndex(Path root) {
    this.root = root;
    this.folder = root.resolve("docs/decisions");
  }

  /**
   * Writes the index of the project in the given folder, or names what is wrong and ends with 1.
   */
  public static void main(String[] arguments) throws IOException {
    Path root = Path.of(arguments[0]);
    DecisionIndex index = read(root);
    List<String> breaches = index.breachesOfPages();
    if (!breaches.isEmpty()) {
      breaches.forEach(System.err::println);
      System.exit(1);
    }
    Path file = root.resolve("docs/decisions/README.md");
    Path written = Files.writeString(file.resolveSibling("README.md.new"), index.text());
    Files.move(written, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
  }

  static DecisionIndex read(Path root) throws IOException {
    var index = new DecisionIndex(root);
    index.readTree();
    try (var files = Files.list(index.folder)) {
      for (Path file : files.sorted().toList()) {
        if (!file.getFileName().toString().startsWith("README.md")) {
          index.pages.add(DecisionPage.read(file));
        }
      }
    }
    return index;
  }

  /** The sentences about what is wrong with pages, and with the index on disk. */
  List<String> breaches() throws IOException {
    List<String> breaches = breachesOfPages();
    Path file = folder.resolve("README.md");
    if (!Files.exists(file) || !Files.readString(file).equals(text())) {
      breaches.add("docs/decisions/README.md is not what './build format' writes");
    }
    return breaches;
  }

  private List<String> breachesOfPages() {
    List<String> breaches = new ArrayList<>();
    Map<String, DecisionPage> byNumber = new TreeMap<>();
    for (DecisionPage page : pages) {
      if (byNumber.put(page.number(), page) != null) {
        breaches.add(page.number() + ": two pages have this number");
      }
    }
    for (DecisionPage page : pages) {
      for (String name : quoted(page)) {
        if (!names.contains(name) && !Files.exists(root.resolve(name))) {
          breaches.add(page.number() + ": nothing here is called '" + name + "' (Followed by)");
        }
      }
      if (page.field("Followed by").isEmpty()
          && !citations.containsKey(page.number())
          && !page.isSuperseded()) {
        breaches.add(page.number() + ": neither cited nor does it say what follows it");
      }
      for (String later : numbersIn(page.field("Status"))) {
        DecisionPage successor = byNumber.get(later);
        if (successor == null) {
          breaches.add(page.number() + ": there is no " + later + " (Status)");
        } else if (!successor.field("Supersedes").contains(page.number())) {
          breaches.add(later + " does not say that it supersedes " + page.number());
        }
      }
      for (String earlier : numbersIn(page.field("Supersedes"))) {
        DecisionPage old = byNumber.get(earlier);
        if (old == null || !old.field("Status").contains(page.number())) {
          breaches.add(earlier + " does not say that " + page.number() + " supersedes it");
        }
      }
    }
    for (String cited : citations.keySet()) {
      if (!byNumber.containsKey(cited)) {
        breaches.add(cited + " is cited by " + citations.get(cited) + " and does not exist");
      } else if (byNumber.get(cited).isSuperseded()) {
        breaches.add(cited + " is superseded and still cited by " + citations.get(cited));
      }
    }
    return breaches;
  }

  /** The whole text of the index. */
  String text() {
    var text = new StringBuilder();
    text.append("# Decisions\n\n");
    text.append(
        "Choices that took thought, with what was rejected. Written by `./build format` from ");
    text.append(
        "the heads of the pages;\nwhat follows a decision is what its page names and what cites it.\n");
    for (String area : DecisionPage.AREAS) {
      List<DecisionPage> ofArea =
          pages.stream().filter(page -> page.field("Area").equals(area)).toList();
      if (!ofArea.isEmpty()) {
        text.append("\n## ").append(Character.toUpperCase(area.charAt(0)));
        text.append(area.substring(1)).append("\n\n");
        text.append(
            "| number | title | status | supersedes | followed by |\n|---|---|---|---|---|\n");
        ofArea.forEach(page -> text.append(row(page)));
      }
    }
    return text.toString();
  }

  private String row(DecisionPage page) {
    Set<String> followers = new TreeSet<>(String.CASE_INSENSITIVE_ORDER);
    quoted(page).forEach(name -> followers.add("`" + name + "`"));
    for (Path file : citations.getOrDefault(page.number(), Set.of())) {
      followers.add("`" + shown(file) + "`");
    }
    return "| [%s](%s) | %s | %s | %s | %s |\n"
        .formatted(
            page.number(),
            page.file().getFileName(),
            page.title(),
            page.field("Status"),
            page.field("Supersedes"),
            String.join(", ", followers));
  }

  private static String shown(Path file) {
    String name = file.getFileName().toString();
    if (name.equals("package-info.java")) {
      return "package " + file.getParent().getFileName();
    }
    return name.endsWith(".java") ? name.substring(0, name.length() - 5) : file.toString();
  }

  private void readTree() throws IOException {
    Files.walkFileTree(
        root,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult preVisitDirectory(Path dir, BasicFileAttributes attributes) {
            boolean skipped = SKIPPED.contains(dir.getFileName().toString());
            return skipped && !dir.equals(root)
                ? FileVisitResult.SKIP_SUBTREE
                : FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
            readFile(file);
            return FileVisitResult.CONTINUE;
          }
        });
  }

  private void readFile(Path file) {
    String name = file.getFileName().toString();
    if (name.endsWith(".java")) {
      names.add(name.substring(0, name.length() - 5));
    }
    boolean isText =
        SCRIPTS.contains(name) || TEXTS.contains(name.substring(name.lastIndexOf('.') + 1));
    if (!isText || file.startsWith(folder)) {
      return;
    }
    try {
      Matcher citation = CITATION.matcher(Files.readString(file));
      while (citation.find()) {
        citations
            .computeIfAbsent(
                "%04d".formatted(Integer.valueOf(citation.group(1))), _ -> new TreeSet<>())
            .add(root.relativize(file));
      }
    } catch (IOException e) {
      throw new UncheckedIOException(file + " cannot be read as text", e);
    }
  }

  private static List<String> quoted(DecisionPage page) {
    List<String> found = new ArrayList<>();
    Matcher names = QUOTED.matcher(page.field("Followed by"));
    while (names.find()) {
      found.add(names.group(1));
    }
    return found;
  }

  private static List<String> numbersIn(String field) {
    return NUMBER.matcher(field).results().map(result -> result.group()).toList();
  }
}
