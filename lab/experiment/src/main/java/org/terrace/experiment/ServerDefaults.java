package org.terrace.experiment;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.terrace.core.process.JavaCommand;
import org.terrace.evidence.PauseLog;
import org.terrace.nodes.setting.Collector;
import org.terrace.nodes.setting.SoftLimits;

/**
 * The settings of Terrace's own servers where a specification says nothing, wherever they run.
 * Stateless.
 */
public final class ServerDefaults {
  /** The user that the application is to its database. */
  public static final String DATABASE_USER = "board";

  /** The name of the application's database. */
  public static final String DATABASE = "board";

  /** The port at which application servers share their sessions. */
  public static final int GROUP_PORT = 7_900;

  /** The connections that a controller keeps to each database, at most. */
  public static final int CONTROLLER_POOL = Math.min(SoftLimits.MOST_CONNECTIONS, 64);

  private static final long WEB_HEAP = 64L << 20;
  private static final long APP_HEAP = 192L << 20;
  private static final int MAXIMUM_POOL = 20;

  private ServerDefaults() {}

  /** The connections that an application server keeps to its database. */
  public static int pool(Experiment experiment, int number) {
    int share = SoftLimits.MOST_CONNECTIONS / experiment.topology().app();
    return experiment.softLimits(number).pool().orElse(Math.clamp(share, 1, MAXIMUM_POOL));
  }

  /** The option of a server's JVM for its largest heap. */
  public static String heapOption(Experiment experiment, Tier tier, int number) {
    long usual = tier == Tier.WEB ? WEB_HEAP : APP_HEAP;
    return "-Xmx" + experiment.heapBytes(tier, number).orElse(usual);
  }

  /**
   * The options of a JVM that starts fast and stays small: one compiler tier, the shared archive of
   * the JDK's classes, no shared performance counters. See docs/decisions/0053.
   */
  public static List<String> javaOptions(Collector collector) {
    return List.of(
        collector.option(),
        "-XX:TieredStopAtLevel=1",
        "-Xshare:auto",
        "-XX:-UsePerfData",
        "--enable-native-access=ALL-UNNAMED",
        "--sun-misc-unsafe-memory-access=allow");
  }

  /**
   * The command line of a JVM of a trial, with the options of {@link #javaOptions}.
   *
   * @param collector the garbage collector
   * @param further options of this JVM alone, its heap among them; they win over the common ones
   * @param pauseLog the file for its pauses
   */
  static List<String> command(
      Path java,
      Collector collector,
      List<String> further,
      Path pauseLog,
      String classpath,
      String mainClass,
      List<String> arguments) {
    List<String> options = new ArrayList<>(javaOptions(collector));
    options.add(PauseLog.option(pauseLog));
    options.addAll(further);
    return JavaCommand.of(java, options, classpath, mainClass, arguments);
  }
}
