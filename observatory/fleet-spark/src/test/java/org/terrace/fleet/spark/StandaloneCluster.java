package org.terrace.fleet.spark;

import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.apache.spark.launcher.JavaModuleOptions;
import org.terrace.core.FileTree;
import org.terrace.core.process.ChildProcess;
import org.terrace.core.process.JavaCommand;
import org.terrace.testing.Await;

/**
 * A standalone cluster of Spark on loopback, as an installation of Spark starts one: a master, and
 * workers with one core each, which start an executor each for a job. Spark's processes have its
 * own jars alone, Parquet of Spark's own version among them; what a job needs besides is handed to
 * them when it is submitted.
 */
final class StandaloneCluster implements AutoCloseable {
  private static final Duration PATIENCE = Duration.ofSeconds(90);
  private static final String LOOPBACK = "127.0.0.1";
  private static final Pattern MASTER = Pattern.compile("spark://" + LOOPBACK + ":[1-9]\\d*");
  private static final List<String> SMALL =
      List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-Xshare:auto");

  /**
   * The jars that an installation of Spark does not have in this version: the modules, where a
   * build has packed them, and those that they bring.
   */
  private static final Pattern BROUGHT =
      Pattern.compile(
          "(terrace|parquet|fastcsv|commons-statistics|commons-numbers|commons-rng|aircompressor)-.*");

  private final Path folder;
  private final Path home;
  private final Map<String, ChildProcess> started = new LinkedHashMap<>();
  private final List<ChildProcess> workers = new ArrayList<>();
  private final String master;
  private final List<Path> brought = new ArrayList<>();

  StandaloneCluster(Path folder, int workers) throws IOException {
    this.folder = folder;
    home = Files.createDirectories(folder.resolve("spark"));
    Path jars = Files.createDirectories(home.resolve("jars"));
    for (String element : System.getProperty("java.class.path").split(":", -1)) {
      Path path = Path.of(element);
      String name = path.getFileName().toString();
      if (Files.isDirectory(path)) {
        brought.add(jarOf(path, folder.resolve("module-" + brought.size() + ".jar")));
      } else if (BROUGHT.matcher(name).matches()) {
        brought.add(path);
      } else {
        Files.createSymbolicLink(jars.resolve(name), path);
      }
    }
    try (Stream<Path> ownJars = Files.list(Path.of("target/jars-of-spark"))) {
      for (Path jar : ownJars.toList()) {
        Files.createSymbolicLink(jars.resolve(jar.getFileName()), jar.toAbsolutePath());
      }
    }
    start("master", "org.apache.spark.deploy.master.Master", listening());
    master = awaitWords("master", MASTER);
    for (int i = 0; i < workers; i++) {
      List<String> words = new ArrayList<>(listening());
      words.addAll(List.of("--cores", "1", "--memory", "512M"));
      words.addAll(List.of("--work-dir", folder.resolve("work" + i).toString(), master));
      this.workers.add(start("worker" + i, "org.apache.spark.deploy.worker.Worker", words));
    }
    for (int i = 0; i < workers; i++) {
      awaitWords("worker" + i, Pattern.compile("Successfully registered with master"));
    }
  }

  /** Submits the job as a user does, who waits for it. */
  ChildProcess submit(String name, List<String> settings, List<String> arguments)
      throws IOException {
    List<String> words = new ArrayList<>(List.of("--master", master));
    words.addAll(List.of("--class", FleetJob.class.getName()));
    for (String setting :
        List.of(
            "spark.executor.memory=512m",
            "spark.executor.extraJavaOptions=" + String.join(" ", SMALL),
            "spark.ui.enabled=false",
            "spark.driver.host=" + LOOPBACK,
            "spark.driver.bindAddress=" + LOOPBACK,
            "spark.local.dir=" + folder.resolve("local"))) {
      words.addAll(List.of("--conf", setting));
    }
    settings.forEach(setting -> words.addAll(List.of("--conf", setting)));
    words.addAll(
        List.of("--jars", String.join(",", brought.stream().map(Path::toString).toList())));
    words.add(brought.getFirst().toString());
    words.addAll(arguments);
    return start(name, "org.apache.spark.deploy.SparkSubmit", words);
  }

  /** Ends a worker and the executors that it started as a crash of their machine does. */
  void kill(int worker) {
    ProcessHandle process = workers.get(worker).process().toHandle();
    List<ProcessHandle> executors = process.descendants().toList();
    process.destroyForcibly();
    executors.forEach(ProcessHandle::destroyForcibly);
  }

  /** Everything that a process has said. */
  String said(String name) {
    try {
      return Files.readString(folder.resolve(name + ".log"));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Waits for words in what a process says, and gives them. */
  String awaitWords(String name, Pattern words) throws IOException {
    String[] found = new String[1];
    boolean heard =
        Await.until(
            PATIENCE,
            () -> {
              Matcher matcher = words.matcher(said(name));
              found[0] = matcher.find() ? matcher.group() : found[0];
              return found[0] != null || !started.get(name).isAlive();
            });
    return Optional.ofNullable(heard ? found[0] : null)
        .orElseThrow(() -> new IOException(name + " did not say " + words + ": " + said(name)));
  }

  private static List<String> listening() {
    return List.of("--host", LOOPBACK, "--port", "0", "--webui-port", "0");
  }

  private ChildProcess start(String name, String main, List<String> arguments) throws IOException {
    List<String> options = new ArrayList<>(SMALL);
    options.addAll(List.of(JavaModuleOptions.defaultModuleOptionArray()));
    options.addAll(List.of("-Xmx512m", "-Dspark.master.rest.enabled=false"));
    ProcessBuilder builder =
        new ProcessBuilder(
            JavaCommand.of(JavaCommand.program(), options, home + "/jars/*", main, arguments));
    builder.environment().put("SPARK_HOME", home.toString());
    builder.environment().put("SPARK_LOCAL_IP", LOOPBACK);
    builder.environment().put("SPARK_SCALA_VERSION", "2.13");
    builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
    builder.directory(folder.toFile());
    builder.redirectErrorStream(true);
    builder.redirectOutput(folder.resolve(name + ".log").toFile());
    ChildProcess process = ChildProcess.start(builder);
    started.put(name, process);
    return process;
  }

  private static Path jarOf(Path classes, Path jar) throws IOException {
    try (OutputStream bytes = Files.newOutputStream(jar);
        JarOutputStream out = new JarOutputStream(bytes);
        Stream<Path> files = Files.walk(classes)) {
      for (Path file : files.filter(Files::isRegularFile).sorted().toList()) {
        out.putNextEntry(new JarEntry(classes.relativize(file).toString()));
        Files.copy(file, out);
        out.closeEntry();
      }
    }
    return jar;
  }

  /** Ends all of them, the executors with their workers, and removes what they were made of. */
  @Override
  public void close() throws IOException {
    for (int i = 0; i < workers.size(); i++) {
      kill(i);
    }
    started.values().forEach(ChildProcess::close);
    FileTree.delete(home);
  }
}
