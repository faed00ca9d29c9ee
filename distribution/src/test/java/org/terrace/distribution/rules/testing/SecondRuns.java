package org.terrace.distribution.rules.testing;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The rule that a failed test is run again in one place only: the root project's run of the tests
 * of real processes, which the build counts. No other project file, option file or script asks for
 * second runs or passes over failures, and no module says itself which of its tests run.
 */
public final class SecondRuns {
  private static final Pattern ASKS =
      Pattern.compile(
          "rerunFailingTests|testFailureIgnore|maven\\.test\\.failure\\.ignore|fail-never|"
              + "(?<![\\w-])-fn(?![\\w-])");

  private static final Pattern CHOOSES =
      Pattern.compile(
          "<(skip|skipTests|skipExec|maven\\.test\\.skip)>(?!\\s*false)"
              + "|<(groups|excludedGroups|test|terrace\\.leftOut|terrace\\.depth)>"
              + "|<(in|ex)clude>[^<]*(Test|\\.java|\\.class)");

  private static final Pattern EXECUTION =
      Pattern.compile("<execution>\\s*<id>([\\w-]+)</id>.*?</execution>", Pattern.DOTALL);

  private SecondRuns() {}

  /** The sentences that name what would run a failed test again, or pass over its failure. */
  static List<String> breachesOf(Path root, List<String> modules) throws IOException {
    List<String> breaches = new ArrayList<>();
    String project = Files.readString(root.resolve("pom.xml"));
    long inRuns = 0;
    for (var execution : EXECUTION.matcher(project).results().toList()) {
      String id = execution.group(1);
      String text = execution.group();
      inRuns += asks(text);
      if (asks(text) > 0 && !text.contains("<groups>" + RealProcesses.TAG + "</groups>")) {
        breaches.add("pom.xml: the run " + id + " runs tests again that are not marked");
      }
      if (id.equals("default-test") && !text.contains("<excludedGroups>" + RealProcesses.TAG)) {
        breaches.add("pom.xml: the run " + id + " has tests of real processes among its own");
      }
    }
    if (asks(project) > inRuns) {
      breaches.add("pom.xml: all runs of tests run failed ones again");
    }
    List<Path> others = new ArrayList<>();
    modules.forEach(module -> others.add(root.resolve(module).resolve("pom.xml")));
    for (String script : List.of("build", "terrace", ".ci/run")) {
      others.add(root.resolve(script));
    }
    for (String folder : List.of(".mvn", "tools")) {
      if (Files.isDirectory(root.resolve(folder))) {
        try (Stream<Path> files = Files.list(root.resolve(folder))) {
          files.filter(Files::isRegularFile).sorted().forEach(others::add);
        }
      }
    }
    for (String module : modules) {
      Path file = root.resolve(module).resolve("pom.xml");
      if (Files.exists(file) && CHOOSES.matcher(Files.readString(file)).find()) {
        breaches.add(root.relativize(file) + " says itself which of its tests run");
      }
    }
    for (Path file : others) {
      if (Files.exists(file) && asks(Files.readString(file)) > 0) {
        breaches.add(root.relativize(file) + " has failed tests run again or passed over");
      }
    }
    return breaches;
  }

  private static long asks(String text) {
    return ASKS.matcher(text).results().filter(found -> !isClosing(text, found.start())).count();
  }

  private static boolean isClosing(String text, int at) {
    return at >= 2 && text.startsWith("</", at - 2);
  }
}
