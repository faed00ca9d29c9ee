package org.terrace.distribution.rules.counts;

import com.sun.source.tree.ClassTree;
import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.MethodTree;
import com.sun.source.tree.ModuleTree;
import com.sun.source.tree.PackageTree;
import com.sun.source.tree.Tree;
import com.sun.source.tree.VariableTree;
import com.sun.source.util.DocTrees;
import com.sun.source.util.JavacTask;
import com.sun.source.util.TreePath;
import com.sun.source.util.TreePathScanner;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.BiFunction;
import java.util.regex.Pattern;
import javax.tools.ToolProvider;
import org.terrace.distribution.rules.house.House;
import org.terrace.distribution.rules.house.Module;

/**
 * The things of which the sources have too much, by the name of their ratchet: sentences that each
 * name one thing, whose number may only fall. Docstrings that begin with an interrogative, perhaps
 * after a preposition, or with "That", and packages of too many types are sought in main and in
 * test code, each by itself; all else is sought in main code. "Whether" is none: it is how the
 * meaning of a boolean begins. Those that begin with other words that define nothing are found by
 * {@link Openings}. Of the packages that a module exports to everyone, each after the first counts;
 * those that it exports to some count by themselves.
 */
public final class SourceCounts {
  static final int MODULE_LINES = 10_000;
  static final int PACKAGE_TYPES = 40;
  static final int FILE_LINES = 400;
  static final int METHOD_LINES = 60;

  private static final Pattern INTERROGATIVE =
      Pattern.compile(
          """
          That\\b.*|\
          (What|Which|How|Who|Whose|Whom|Where|When|Why)\\b.*|\
          (About|After|At|By|For|From|In|Into|Of|On|Over|Since|Through|To|Under|Until|With|Within)\
          \\s+(what|which|how|who|whose|whom|where|when|why)\\b.*\
          """,
          Pattern.DOTALL);

  private static final Pattern EXPORTED = Pattern.compile("(?m)^\\s*exports ([\\w.]+);");
  private static final Pattern EXPORTED_TO = Pattern.compile("(?m)^\\s*exports ([\\w.]+) to\\b");

  private final Map<String, List<String>> found = new TreeMap<>();
  private final Map<String, Set<String>> placesOfNames = new TreeMap<>();
  private final Map<String, Integer> typesOfPackages = new TreeMap<>();
  private final Map<String, Integer> typesOfTestPackages = new TreeMap<>();

  private SourceCounts() {
    for (String ratchet :
        List.of(
            "exported-packages-beyond-the-first",
            "packages-exported-to-some",
            "modules-above-10000-lines",
            "packages-above-40-types",
            "test-packages-above-40-types",
            "files-above-400-lines",
            "methods-above-60-lines",
            "repeated-simple-names",
            "interrogative-docstrings",
            "docstrings-that-define-nothing")) {
      found.put(ratchet, new ArrayList<>());
    }
  }

  public static Map<String, List<String>> of(House house) throws IOException {
    var counts = new SourceCounts();
    for (Module module : house.modules()) {
      counts.addModule(module);
    }
    counts.placesOfNames.forEach((name, places) -> {
      if (places.size() > 1) {
        counts.add("repeated-simple-names", name + " in " + String.join(", ", places));
      }
    });
    counts.addLargePackages("packages-above-40-types", counts.typesOfPackages);
    counts.addLargePackages("test-packages-above-40-types", counts.typesOfTestPackages);
    return counts.found;
  }

  private void addLargePackages(String ratchet, Map<String, Integer> packages) {
    packages.forEach((name, types) -> {
      if (types > PACKAGE_TYPES) {
        add(ratchet, name + ": " + types + " types");
      }
    });
  }

  private void addModule(Module module) throws IOException {
    List<Path> files = module.mainSources();
    int moduleLines = 0;
    for (Path file : files) {
      int lines = Files.readAllLines(file).size();
      moduleLines += lines;
      if (file.endsWith("module-info.java")) {
        var exports = EXPORTED.matcher(Files.readString(file));
        exports
            .results()
            .map(result -> result.group(1))
            .skip(1)
            .forEach(
                name -> add("exported-packages-beyond-the-first", module.folder() + ": " + name));
        EXPORTED_TO
            .matcher(Files.readString(file))
            .results()
            .forEach(to -> add("packages-exported-to-some", module.folder() + ": " + to.group(1)));
      }
      if (lines > FILE_LINES) {
        add("files-above-400-lines", module.root().relativize(file) + ": " + lines + " lines");
      }
    }
    if (moduleLines > MODULE_LINES) {
      add("modules-above-10000-lines", module.folder() + ": " + moduleLines + " lines");
    }
    parse(files, Scanner::new);
    parse(module.testSources(), Docstrings::new);
  }

  private void parse(
      List<Path> files, BiFunction<DocTrees, CompilationUnitTree, ? extends Docstrings> scanner)
      throws IOException {
    if (files.isEmpty()) {
      return;
    }
    var compiler = ToolProvider.getSystemJavaCompiler();
    try (var manager = compiler.getStandardFileManager(null, null, null)) {
      var task =
          (JavacTask)
              compiler.getTask(
                  null,
                  manager,
                  null,
                  List.of("-proc:none"),
                  null,
                  manager.getJavaFileObjectsFromPaths(files));
      DocTrees docs = DocTrees.instance(task);
      for (CompilationUnitTree unit : task.parse()) {
        scanner.apply(docs, unit).scan(unit, null);
      }
    }
  }

  private void add(String ratchet, String sentence) {
    found.get(ratchet).add(sentence);
  }

  /** The search for docstrings by their first words, of those interrogatives, and for types. */
  private class Docstrings extends TreePathScanner<Void, Void> {
    final DocTrees docs;
    final CompilationUnitTree unit;

    Docstrings(DocTrees docs, CompilationUnitTree unit) {
      this.docs = docs;
      this.unit = unit;
    }

    @Override
    public Void visitClass(ClassTree type, Void nothing) {
      addOpening(placeOf(getCurrentPath()));
      if (getCurrentPath().getParentPath().getLeaf() instanceof CompilationUnitTree) {
        addType(unit.getPackageName().toString(), type.getSimpleName().toString());
      }
      return super.visitClass(type, null);
    }

    void addType(String place, String name) {
      typesOfTestPackages.merge(place, 1, Integer::sum);
    }

    @Override
    public Void visitPackage(PackageTree named, Void nothing) {
      addOpening("package " + named.getPackageName());
      return super.visitPackage(named, null);
    }

    @Override
    public Void visitModule(ModuleTree module, Void nothing) {
      addOpening("module " + module.getName());
      return super.visitModule(module, null);
    }

    @Override
    public Void visitMethod(MethodTree method, Void nothing) {
      addOpening(placeOf(getCurrentPath()) + "." + method.getName());
      return super.visitMethod(method, null);
    }

    @Override
    public Void visitVariable(VariableTree variable, Void nothing) {
      addOpening(placeOf(getCurrentPath()) + "." + variable.getName());
      return super.visitVariable(variable, null);
    }

    private void addOpening(String documented) {
      String comment = docs.getDocComment(getCurrentPath());
      if (comment != null) {
        addOpening(documented, comment.strip());
      }
    }

    void addOpening(String documented, String comment) {
      if (INTERROGATIVE.matcher(comment).matches()) {
        add("interrogative-docstrings", documented + ": " + firstLine(comment));
      }
    }

    private String placeOf(TreePath typeOrMember) {
      var place = new StringBuilder();
      for (Tree part : typeOrMember) {
        if (part instanceof ClassTree named) {
          place.insert(0, "." + named.getSimpleName());
        }
      }
      return unit.getPackageName() + place.toString();
    }

    String firstLine(String comment) {
      return comment.lines().findFirst().orElse("");
    }
  }

  /** The search for all that may be too much in main code. */
  private final class Scanner extends Docstrings {
    Scanner(DocTrees docs, CompilationUnitTree unit) {
      super(docs, unit);
    }

    @Override
    void addOpening(String documented, String comment) {
      super.addOpening(documented, comment);
      if (Openings.defineNothing(comment, Openings.isPublic(getCurrentPath()))) {
        add("docstrings-that-define-nothing", documented + ": " + firstLine(comment));
      }
    }

    @Override
    void addType(String place, String name) {
      placesOfNames.computeIfAbsent(name, key -> new TreeSet<>()).add(place);
      typesOfPackages.merge(place, 1, Integer::sum);
    }

    @Override
    public Void visitMethod(MethodTree method, Void nothing) {
      long start = docs.getSourcePositions().getStartPosition(unit, method);
      long end = docs.getSourcePositions().getEndPosition(unit, method);
      if (start >= 0 && end > start) {
        long lines =
            unit.getLineMap().getLineNumber(end) - unit.getLineMap().getLineNumber(start) + 1;
        if (lines > METHOD_LINES) {
          Tree type = getCurrentPath().getParentPath().getLeaf();
          String owner = type instanceof ClassTree named ? named.getSimpleName() + "." : "";
          add(
              "methods-above-60-lines",
              unit.getPackageName() + "." + owner + method.getName() + ": " + lines + " lines");
        }
      }
      return super.visitMethod(method, null);
    }
  }
}
