package org.terrace.distribution.rules;

import com.sun.source.tree.ClassTree;
import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.MethodTree;
import com.sun.source.tree.Tree;
import com.sun.source.util.DocTrees;
import com.sun.source.util.JavacTask;
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
import java.util.regex.Pattern;
import javax.tools.ToolProvider;

/**
 * What is too much in the sources of main code, by the name of its ratchet: sentences that each
 * name one thing, whose number may only fall.
 */
final class SourceCounts {
  static final int MODULE_LINES = 10_000;
  static final int PACKAGE_TYPES = 40;
  static final int FILE_LINES = 400;
  static final int METHOD_LINES = 60;

  private static final Pattern INTERROGATIVE =
      Pattern.compile(
          "(What|Which|How|Who|Whose|Whom|Where|When|Whether|Why)\\b.*", Pattern.DOTALL);

  private final Map<String, List<String>> found = new TreeMap<>();
  private final Map<String, Set<String>> placesOfNames = new TreeMap<>();
  private final Map<String, Integer> typesOfPackages = new TreeMap<>();

  private SourceCounts() {
    for (String ratchet :
        List.of(
            "modules-above-10000-lines",
            "packages-above-40-types",
            "files-above-400-lines",
            "methods-above-60-lines",
            "repeated-simple-names",
            "interrogative-docstrings")) {
      found.put(ratchet, new ArrayList<>());
    }
  }

  static Map<String, List<String>> of(House house) throws IOException {
    var counts = new SourceCounts();
    for (Module module : house.modules()) {
      counts.addModule(module);
    }
    counts.placesOfNames.forEach((name, places) -> {
      if (places.size() > 1) {
        counts.add("repeated-simple-names", name + " in " + String.join(", ", places));
      }
    });
    counts.typesOfPackages.forEach((name, types) -> {
      if (types > PACKAGE_TYPES) {
        counts.add("packages-above-40-types", name + ": " + types + " types");
      }
    });
    return counts.found;
  }

  private void addModule(Module module) throws IOException {
    List<Path> files = module.mainSources();
    int moduleLines = 0;
    for (Path file : files) {
      int lines = Files.readAllLines(file).size();
      moduleLines += lines;
      if (lines > FILE_LINES) {
        add("files-above-400-lines", module.root().relativize(file) + ": " + lines + " lines");
      }
    }
    if (moduleLines > MODULE_LINES) {
      add("modules-above-10000-lines", module.folder() + ": " + moduleLines + " lines");
    }
    if (!files.isEmpty()) {
      parse(files);
    }
  }

  private void parse(List<Path> files) throws IOException {
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
        new Scanner(docs, unit).scan(unit, null);
      }
    }
  }

  private void add(String ratchet, String sentence) {
    found.get(ratchet).add(sentence);
  }

  private final class Scanner extends TreePathScanner<Void, Void> {
    private final DocTrees docs;
    private final CompilationUnitTree unit;

    Scanner(DocTrees docs, CompilationUnitTree unit) {
      this.docs = docs;
      this.unit = unit;
    }

    @Override
    public Void visitClass(ClassTree type, Void nothing) {
      if (getCurrentPath().getParentPath().getLeaf() instanceof CompilationUnitTree) {
        String place = unit.getPackageName().toString();
        String name = type.getSimpleName().toString();
        placesOfNames.computeIfAbsent(name, key -> new TreeSet<>()).add(place);
        typesOfPackages.merge(place, 1, Integer::sum);
        String comment = docs.getDocComment(getCurrentPath());
        if (comment != null && INTERROGATIVE.matcher(comment.strip()).matches()) {
          add("interrogative-docstrings", place + "." + name + ": " + firstLine(comment));
        }
      }
      return super.visitClass(type, null);
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

    private String firstLine(String comment) {
      return comment.strip().lines().findFirst().orElse("");
    }
  }
}
