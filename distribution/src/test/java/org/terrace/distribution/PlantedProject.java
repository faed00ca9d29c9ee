package org.terrace.distribution;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/**
 * A project of one library, {@code core}, that is built as this one is: with its root project file,
 * its Maven and its tools.
 */
final class PlantedProject {
  private final Path root;

  private PlantedProject(Path root) {
    this.root = root;
  }

  /** Lays a project whose library has a class into a folder. */
  static PlantedProject in(Path root, String source) throws IOException {
    var project = new PlantedProject(root);
    for (String part : List.of("mvnw", ".mvn", "tools")) {
      project.copy(SourceTree.root().resolve(part));
    }
    String pom = Files.readString(SourceTree.root().resolve("pom.xml"));
    project.write(
        "pom.xml",
        pom.replaceFirst(
            "(?s)<modules>.*?</modules>",
            "<modules><module>bom</module><module>core</module></modules>"));
    String coordinates =
        "<modelVersion>4.0.0</modelVersion>"
            + "<groupId>org.terrace</groupId><version>0.1.0-SNAPSHOT</version>";
    String core = "<artifactId>terrace-core</artifactId>";
    project.write(
        "bom/pom.xml",
        "<project>"
            + coordinates
            + "<artifactId>terrace-bom</artifactId><packaging>pom</packaging>"
            + "<dependencyManagement><dependencies><dependency><groupId>org.terrace</groupId>\n"
            + core
            + "\n<version>${project.version}</version></dependency></dependencies></dependencyManagement>"
            + "</project>");
    project.write(
        "core/pom.xml",
        "<project><modelVersion>4.0.0</modelVersion><parent><groupId>org.terrace</groupId>"
            + "<artifactId>terrace</artifactId><version>0.1.0-SNAPSHOT</version></parent>"
            + core
            + "</project>");
    project.write(
        "core/src/main/java/module-info.java",
        "/** Seats. */\nmodule org.terrace.seats {\n  exports org.terrace.seats;\n}");
    for (String wing : List.of("databases", "runtime", "observatory")) {
      project.write(wing + "/README.md", "Nothing yet.");
    }
    return project.withClass(source);
  }

  /** Replaces the library's class, {@code Seats}. */
  PlantedProject withClass(String source) throws IOException {
    return write(
        "core/src/main/java/org/terrace/seats/Seats.java",
        "package org.terrace.seats;\n\n" + source);
  }

  /** Writes a file of the project. */
  PlantedProject write(String name, String text) throws IOException {
    Path file = root.resolve(name);
    Files.createDirectories(file.getParent());
    Files.writeString(file, text);
    return this;
  }

  private void copy(Path part) throws IOException {
    try (Stream<Path> files = Files.walk(part)) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        Path target = root.resolve(SourceTree.root().relativize(file).toString());
        Files.createDirectories(target.getParent());
        Files.copy(file, target);
      }
    }
  }
}
