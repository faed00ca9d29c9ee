package org.terrace.distribution.rules.house;

import java.io.IOException;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import javax.tools.ToolProvider;

/** A small house in a folder of its own, compiled, to break rules in. */
public final class PlantedHouse {
  private final Path root;
  private final Map<String, List<String>> dependencies = new LinkedHashMap<>();
  private final Map<String, String> properties = new HashMap<>();

  public PlantedHouse(Path root) {
    this.root = root;
  }

  /**
   * A module at a folder that declares the dependencies: {@code core}, {@code core:tests} of its
   * own house, {@code group:artifact:version} of a library; {@code test} in front is the scope.
   */
  public PlantedHouse module(String folder, String... declared) {
    dependencies.put(folder, List.of(declared));
    return this;
  }

  /** A property that the pom of the module at a folder sets. */
  public PlantedHouse property(String folder, String name, String value) {
    properties.put(folder, "<properties><%s>%s</%1$s></properties>".formatted(name, value));
    return this;
  }

  public PlantedHouse main(String folder, String source) throws IOException {
    return source(folder, "main", source);
  }

  public PlantedHouse test(String folder, String source) throws IOException {
    return source(folder, "test", source);
  }

  public PlantedHouse file(String name, String... lines) throws IOException {
    Path file = root.resolve(name);
    Files.createDirectories(file.getParent());
    Files.write(file, List.of(lines));
    return this;
  }

  /** Compiles all sources against each other and reads the house. */
  public House build(Path... libraries) throws IOException {
    List<String> modules = new ArrayList<>();
    for (var entry : dependencies.entrySet()) {
      modules.add("<module>" + entry.getKey() + "</module>");
      String name = entry.getKey().substring(entry.getKey().lastIndexOf('/') + 1);
      String declared =
          entry.getValue().stream().map(PlantedHouse::dependency).collect(Collectors.joining());
      file(
          entry.getKey() + "/pom.xml",
          "<project><artifactId>terrace-" + name + "</artifactId>",
          properties.getOrDefault(entry.getKey(), ""),
          "<dependencies>",
          declared,
          "</dependencies></project>");
    }
    file(
        "pom.xml",
        "<project><artifactId>terrace</artifactId><modules>",
        String.join("\n", modules),
        "</modules></project>");
    for (String set : List.of("main", "test")) {
      for (String folder : dependencies.keySet()) {
        compile(folder, set, libraries);
      }
    }
    return House.read(root);
  }

  private static String dependency(String declared) {
    boolean forTests = declared.startsWith("test ");
    String[] parts = declared.replace("test ", "").split(":", -1);
    boolean ofTheHouse = parts.length < 3;
    return "<dependency><groupId>"
        + (ofTheHouse ? "org.terrace" : parts[0])
        + "</groupId><artifactId>"
        + (ofTheHouse ? "terrace-" + parts[0] : parts[1])
        + "</artifactId>"
        + (ofTheHouse ? "" : "<version>" + parts[2] + "</version>")
        + (parts.length == 2 ? "<type>test-jar</type>" : "")
        + (forTests ? "<scope>test</scope>" : "")
        + "</dependency>";
  }

  private PlantedHouse source(String folder, String set, String source) throws IOException {
    String place = source.replaceFirst("(?s).*?package ([\\w.]+);.*", "$1").replace('.', '/');
    String name = source.replaceFirst("(?s).*?\\b(?:class|record|interface|enum) (\\w+).*", "$1");
    return file(folder + "/src/" + set + "/java/" + place + "/" + name + ".java", source);
  }

  private void compile(String folder, String set, Path... libraries) throws IOException {
    Path target =
        root.resolve(folder).resolve(set.equals("main") ? "target/classes" : "target/test-classes");
    Files.createDirectories(target);
    List<Path> path = new ArrayList<>(List.of(libraries));
    List<Path> sources = new ArrayList<>();
    List<String> sourcePath = new ArrayList<>();
    for (String other : dependencies.keySet()) {
      sourcePath.add(root.resolve(other).resolve("src/main/java").toString());
      sourcePath.add(root.resolve(other).resolve("src/test/java").toString());
    }
    Path own = root.resolve(folder).resolve("src/" + set + "/java");
    if (!Files.isDirectory(own)) {
      return;
    }
    try (var files = Files.walk(own)) {
      files.filter(file -> file.toString().endsWith(".java")).forEach(sources::add);
    }
    Path scratch = Files.createTempDirectory(root, "classes");
    var compiler = ToolProvider.getSystemJavaCompiler();
    var messages = new StringWriter();
    try (var manager = compiler.getStandardFileManager(null, null, null)) {
      boolean compiled =
          compiler
              .getTask(
                  messages,
                  manager,
                  null,
                  List.of(
                      "-proc:none",
                      "-implicit:class",
                      "-sourcepath",
                      String.join(":", sourcePath),
                      "-classpath",
                      path.stream().map(Path::toString).collect(Collectors.joining(":")),
                      "-d",
                      scratch.toString()),
                  null,
                  manager.getJavaFileObjectsFromPaths(sources))
              .call();
      if (!compiled) {
        throw new IOException(messages.toString());
      }
    }
    keepOwn(scratch, own, target);
  }

  /** The compiler also writes what it found on the source path: that belongs to other modules. */
  private static void keepOwn(Path scratch, Path ownSources, Path target) throws IOException {
    List<Path> classes;
    try (var files = Files.walk(scratch)) {
      classes = files.filter(file -> file.toString().endsWith(".class")).toList();
    }
    for (Path compiled : classes) {
      Path name = scratch.relativize(compiled);
      String source = name.toString().replaceFirst("(\\$.*)?\\.class$", ".java");
      if (Files.exists(ownSources.resolve(source))) {
        Files.createDirectories(target.resolve(name).getParent());
        Files.copy(compiled, target.resolve(name));
      }
    }
  }
}
