package org.terrace.distribution;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.jar.Attributes;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import javax.tools.JavaCompiler;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** {@code tools/compare-api} names what breaks a library's users, and nothing else. */
@Timeout(120)
@Tag("real-processes")
@Tag("untimed")
class ApiComparisonTest {
  private static final String OLD =
      "public class Seats { public int free() { return 1; } public void sell() {} }";

  @TempDir Path scratch;

  private record Call(int status, String output) {}

  @Test
  void aChangedReturnTypeAndARemovedMethodBreak() throws Exception {
    Path old = jar("old", OLD);
    Path changed = jar("new", "public class Seats { public long free() { return 1; } }");

    Call call = compare("--jars", old.toString(), changed.toString());

    assertThat(call.status()).as(call.output()).isEqualTo(1);
    assertThat(call.output()).contains("sell()", "free()", "BREAKS");
  }

  @Test
  void anAddedMethodBreaksNothing() throws Exception {
    Path old = jar("old", OLD);
    Path more = jar("new", OLD.replaceFirst("\\{", "{ public void giveBack() {}"));

    Call call = compare("--jars", old.toString(), more.toString());

    assertThat(call.status()).as(call.output()).isZero();
    assertThat(call.output()).contains("nothing breaks");
  }

  @Test
  void anExportThatIsDroppedBreaksThoughItsClassesAreThere() throws Exception {
    Path old = jar("old", OLD);
    Path closed = jar("new", OLD, "module seats { exports seats to java.sql; }");

    Call call = compare("--jars", old.toString(), closed.toString());

    assertThat(call.status()).as(call.output()).isEqualTo(1);
    assertThat(call.output()).contains("exports seats: gone", "BREAKS");
  }

  @Test
  @Tag("long")
  void whatAModulePassesOnBreaksWhenItIsDropped() throws Exception {
    Path old = jar("old", OLD, "module seats { requires transitive java.logging; exports seats; }");
    Path less = jar("new", OLD, "module seats { requires java.logging; exports seats; }");

    Call call = compare("--jars", old.toString(), less.toString());

    assertThat(call.status()).as(call.output()).isEqualTo(1);
    assertThat(call.output()).contains("requires transitive java.logging: gone", "BREAKS");
  }

  @Test
  @Tag("long")
  void anotherNameOfAModuleBreaksWhetherItIsDeclaredOrAutomatic() throws Exception {
    Path old = jar("old", OLD);
    Path renamed = jar("new", OLD, "module chairs { exports seats; }");
    Path automatic = automaticJar("automatic", "seats.shop");
    Path other = automaticJar("other", "chairs.shop");

    Call declared = compare("--jars", old.toString(), renamed.toString());
    Call ofManifest = compare("--jars", automatic.toString(), other.toString());

    assertThat(declared.status()).as(declared.output()).isEqualTo(1);
    assertThat(declared.output()).contains("module seats: gone", "BREAKS");
    assertThat(ofManifest.status()).as(ofManifest.output()).isEqualTo(1);
    assertThat(ofManifest.output()).contains("module seats.shop: gone", "BREAKS");
  }

  @Test
  @Tag("long")
  @Timeout(400)
  void theLastTagIsBuiltAndComparedWithWhatFollows() throws Exception {
    String released = "/** Seats. */\npublic final class Seats {\n  private Seats() {}\n\n%s}\n";
    String one = "  /** Their number. */\n  public static int free() {\n    return 1;\n  }\n";
    PlantedProject project = PlantedProject.in(scratch, released.formatted(one));
    project.write(".gitignore", "target/\n");
    git("init", "--quiet", "--initial-branch=main");
    commit();
    Call none = call(scratch);
    assertThat(none.status()).as(none.output()).isZero();
    assertThat(none.output()).contains("There is no release yet");

    git("tag", "--annotate", "v0.1.0", "--message", "One");
    git("tag", "other");
    project.withClass(released.formatted(one + one.replace("free", "sold")));
    commit();
    Call more = call(scratch);
    assertThat(more.status()).as(more.output()).isZero();
    assertThat(more.output()).contains("Comparing with v0.1.0", "terrace-core.jar: nothing breaks");

    project.withClass(released.formatted(one.replace("int", "long")));
    leaveOtherJars();
    Call less = call(scratch);
    assertThat(less.status()).as(less.output()).isEqualTo(1);
    assertThat(less.output()).contains("free()", "terrace-core.jar: BREAKS");
    assertThat(scratch.resolve(".git/worktrees")).doesNotExist();
  }

  /** Copies of the jar as it was, of another version and of a library whose name begins alike. */
  private void leaveOtherJars() throws IOException {
    Path target = scratch.resolve("core/target");
    Path built;
    try (var jars = Files.newDirectoryStream(target, "terrace-core-[0-9]*SNAPSHOT.jar")) {
      built = jars.iterator().next();
    }
    for (String other : List.of("terrace-core-0.0.9.jar", "terrace-core-of-old-0.0.9.jar")) {
      Files.copy(built, target.resolve(other));
    }
  }

  private void commit() throws Exception {
    git("add", "--all");
    git("commit", "--quiet", "--message", "A change");
  }

  private void git(String... words) throws Exception {
    List<String> command =
        new ArrayList<>(
            List.of("git", "-C", scratch.toString(), "-c", "user.name=a", "-c", "user.email=a@b"));
    command.addAll(List.of(words));
    ProcessBuilder builder = new ProcessBuilder(command).inheritIO();
    builder.environment().keySet().removeIf(name -> name.startsWith("GIT_"));
    assertThat(builder.start().waitFor()).as(String.join(" ", command)).isZero();
  }

  @Test
  void jarsThatDoNotExistAreRefused() throws Exception {
    Call call = compare("--jars", "no-such.jar", "none.jar");

    assertThat(call.status()).isEqualTo(2);
    assertThat(call.output()).contains("that exist");
  }

  private static Call compare(String... arguments) throws Exception {
    return call(SourceTree.root(), arguments);
  }

  private static Call call(Path project, String... arguments) throws Exception {
    ProcessBuilder builder =
        new ProcessBuilder(project.resolve("tools/compare-api").toString())
            .redirectErrorStream(true);
    builder.command().addAll(List.of(arguments));
    builder.environment().keySet().removeIf(name -> name.startsWith("GIT_"));
    builder.environment().put("TERRACE_JAVA_HOME", System.getProperty("java.home"));
    Process process = builder.start();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    return new Call(process.waitFor(), output);
  }

  /** A jar without classes, whose manifest names its module. */
  private Path automaticJar(String name, String module) throws IOException {
    Manifest manifest = new Manifest();
    manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
    manifest.getMainAttributes().put(new Attributes.Name("Automatic-Module-Name"), module);
    Path jar = scratch.resolve(name + ".jar");
    try (OutputStream file = Files.newOutputStream(jar)) {
      new JarOutputStream(file, manifest).close();
    }
    return jar;
  }

  /** A module that exports one package with one class. */
  private Path jar(String name, String source) throws IOException {
    return jar(name, source, "module seats { exports seats; }");
  }

  private Path jar(String name, String source, String module) throws IOException {
    Path sources = Files.createDirectories(scratch.resolve(name).resolve("seats"));
    Path classes = Files.createDirectory(scratch.resolve(name + "-classes"));
    Path descriptor = scratch.resolve(name).resolve("module-info.java");
    Files.writeString(descriptor, module);
    Path type = sources.resolve("Seats.java");
    Files.writeString(type, "package seats; " + source);
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    int status =
        compiler.run(
            null, null, null, "-d", classes.toString(), descriptor.toString(), type.toString());
    assertThat(status).isZero();
    Path jar = scratch.resolve(name + ".jar");
    try (OutputStream file = Files.newOutputStream(jar);
        JarOutputStream out = new JarOutputStream(file)) {
      for (String entry : List.of("module-info.class", "seats/Seats.class")) {
        out.putNextEntry(new JarEntry(entry));
        Files.copy(classes.resolve(entry), out);
        out.closeEntry();
      }
    }
    return jar;
  }
}
