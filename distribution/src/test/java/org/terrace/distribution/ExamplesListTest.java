package org.terrace.distribution;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Every example that is a project is among those that {@code ExamplesTest} builds, and finds all
 * artefacts that it may need, or is told which is missing.
 */
class ExamplesListTest {
  private static final Path TEST =
      Path.of("distribution/src/test/java/org/terrace/distribution/ExamplesTest.java");

  private static final String PARENT =
      "<parent><groupId>org.terrace</groupId><artifactId>terrace</artifactId>"
          + "<version>7</version></parent>";

  @TempDir private Path folder;

  @Test
  void everyExampleThatIsAProjectIsBuilt() throws IOException {
    Path examples = SourceTree.root().resolve("examples");
    String test = Files.readString(SourceTree.root().resolve(TEST));

    assertThat(projects(examples)).hasSizeGreaterThan(2);
    assertThat(notBuilt(examples, test)).isEmpty();
  }

  @Test
  void anExampleThatIsNotBuiltIsNamed() throws IOException {
    for (String name : List.of("shop", "till")) {
      Files.writeString(Files.createDirectory(folder.resolve(name)).resolve("pom.xml"), "");
    }
    Files.createDirectory(folder.resolve("captures"));

    assertThat(notBuilt(folder, "Arguments.of(\"shop\", \"shop.ShopTest\", 2)"))
        .containsExactly("till");
  }

  /**
   * The examples are built by the whole build alone; the one that needs no library beyond those of
   * the modules is compiled here, against their classes as they are now.
   */
  @Test
  void theShopNamesOnlyWhatThereIs() throws IOException {
    assertThat(errors(SourceTree.root().resolve("examples/shop"))).isEmpty();
  }

  @Test
  void anExampleThatNamesWhatIsGoneIsNamed() throws IOException {
    Path source = folder.resolve("till/src/main/java/Till.java");
    Files.createDirectories(source.getParent());
    Files.writeString(source, "class Till { org.terrace.core.Gone gone; }");

    assertThat(errors(folder.resolve("till"))).contains("Till.java", "Gone");
  }

  /** The compiler's words on what is wrong in the sources of an example; empty if nothing is. */
  private String errors(Path example) throws IOException {
    List<Path> sources;
    try (Stream<Path> files = Files.walk(example.resolve("src"))) {
      sources = files.filter(file -> file.toString().endsWith(".java")).toList();
    }
    assertThat(sources).isNotEmpty();
    StringWriter words = new StringWriter();
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    try (var manager = compiler.getStandardFileManager(null, null, null)) {
      boolean compiled =
          compiler
              .getTask(
                  words,
                  manager,
                  null,
                  List.of(
                      "-proc:none",
                      "-nowarn",
                      "-cp",
                      System.getProperty("java.class.path"),
                      "-d",
                      Files.createTempDirectory(folder, "classes").toString()),
                  null,
                  manager.getJavaFileObjectsFromPaths(sources))
              .call();
      return compiled ? "" : "not compiled: " + words;
    }
  }

  private void plantProject() throws IOException {
    write(
        "pom.xml",
        "<project><groupId>org.terrace</groupId><artifactId>terrace</artifactId>"
            + "<version>7</version><packaging>pom</packaging></project>");
    write("core/pom.xml", module("core"));
    write("core/target/terrace-core-7.jar", "core");
    write("runtime/groups/pom.xml", module("groups"));
    write("core/target/archive/pom.xml", module("core"));
    write("examples/shop/pom.xml", "<project><artifactId>shop</artifactId></project>");
  }

  @Test
  void allArtefactsThatExamplesMayNeedAreLaid() throws IOException {
    plantProject();
    write("runtime/groups/target/terrace-groups-7.jar", "groups");

    LocalRepository.install(folder.resolve("project"), folder.resolve("repository"));

    assertThat(laid("terrace-core/7/terrace-core-7.jar")).hasContent("core");
    assertThat(laid("terrace-groups/7/terrace-groups-7.jar")).hasContent("groups");
    assertThat(laid("terrace-groups/7/terrace-groups-7.pom")).exists();
    assertThat(laid("terrace/7/terrace-7.pom")).exists();
    assertThat(laid("shop")).doesNotExist();
  }

  @Test
  void anArtefactThatIsMissingIsNamed() throws IOException {
    plantProject();

    assertThatThrownBy(
            () -> LocalRepository.install(folder.resolve("project"), folder.resolve("repository")))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("runtime/groups/target/terrace-groups-7.jar")
        .hasMessageContaining("./build");
  }

  private Path laid(String name) {
    return folder.resolve("repository/org/terrace").resolve(name);
  }

  private static String module(String name) {
    return "<project>" + PARENT + "<artifactId>terrace-" + name + "</artifactId></project>";
  }

  private void write(String name, String text) throws IOException {
    Path file = folder.resolve("project").resolve(name);
    Files.createDirectories(file.getParent());
    Files.writeString(file, text);
  }

  private static List<String> notBuilt(Path examples, String test) throws IOException {
    return projects(examples).stream()
        .filter(name -> !test.contains("of(\"" + name + "\", "))
        .toList();
  }

  private static List<String> projects(Path examples) throws IOException {
    try (Stream<Path> folders = Files.list(examples)) {
      return folders
          .filter(example -> Files.exists(example.resolve("pom.xml")))
          .map(example -> example.getFileName().toString())
          .sorted()
          .toList();
    }
  }
}
