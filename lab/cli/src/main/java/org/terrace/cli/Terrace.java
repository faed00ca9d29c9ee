package org.terrace.cli;

import java.io.IOException;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.terrace.core.ErrorCode;
import org.terrace.core.TerraceException;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.IParameterExceptionHandler;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ScopeType;
import picocli.CommandLine.Spec;

/** The entry point of the {@code terrace} command. */
@Command(
    name = "terrace",
    mixinStandardHelpOptions = true,
    scope = ScopeType.INHERIT,
    versionProvider = Version.class,
    synopsisSubcommandLabel = "COMMAND",
    description = "Builds, breaks, watches and explains n-tier services.",
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      "0:good",
      "1:the work was done, but something failed its check",
      "2:bad input: a file, a flag, a specification",
      "3:the machine lacks a right, a program or a resource"
    })
final class Terrace implements Callable<Integer> {
  /** The exit code of a command that a signal ended, as shells give it for SIGINT. */
  private static final int INTERRUPTED = 130;

  /**
   * The time by which a Ctrl-C, which a terminal sends to a whole group of processes, may reach a
   * child before the command itself.
   */
  private static final long INTERRUPT_WITHIN_MILLIS = 500;

  /** The words of the system for a disk, a share of one or a file that may not grow. */
  private static final Pattern FULL =
      Pattern.compile("No space left on device|Disk quota exceeded|File too large");

  private static final CompletableFuture<Integer> endedWith = new CompletableFuture<>();
  private static final CountDownLatch ending = new CountDownLatch(1);
  private static volatile boolean interruptEndsInput;

  @Spec private CommandSpec spec = CommandSpec.create();

  private Terrace() {}

  /** Without a command there is nothing to do: says which there are. */
  @Override
  public Integer call() {
    CommandLine command = spec.commandLine();
    command.getErr().println("terrace: expected a command");
    command.usage(command.getErr());
    return ErrorCode.BAD_INPUT.exitCode();
  }

  /** Runs the command and exits with its code. */
  public static void main(String[] arguments) {
    Runtime.getRuntime().addShutdownHook(Thread.ofPlatform().unstarted(ending::countDown));
    int exitCode = commandLine().execute(arguments);
    endedWith.complete(exitCode);
    System.exit(exitCode);
  }

  /**
   * Lets an interrupt end a command's input instead of the command, which then has as long as it
   * needs for its result and ends with its own exit code.
   */
  static void endInputOnInterrupt(Runnable endInput) {
    interruptEndsInput = true;
    Runtime.getRuntime()
        .addShutdownHook(
            Thread.ofPlatform()
                .unstarted(() -> {
                  if (!endedWith.isDone()) {
                    endInput.run();
                    Runtime.getRuntime().halt(endedWith.join());
                  }
                }));
  }

  /** Whether an interrupt ends the input of the command that runs, and not the command. */
  static boolean interruptEndsInput() {
    return interruptEndsInput;
  }

  static CommandLine commandLine() {
    CommandLine line = new CommandLine(new Terrace());
    line.addSubcommand(new InitCommand());
    line.addSubcommand(new RunCommand());
    line.addSubcommand(new AnalyzeCommand());
    line.addSubcommand(new CaptureCommand());
    line.addSubcommand(new WatchCommand());
    line.addSubcommand(new ReportCommand());
    line.addSubcommand(new CompareCommand());
    line.addSubcommand(new PlanCommand());
    line.addSubcommand(new ExportCommand());
    line.addSubcommand(new ServeCommand());
    line.addSubcommand(new DeployCommand());
    line.addSubcommand(new BoardCommand());
    line.addSubcommand(new BenchCommand());
    line.addSubcommand(new ServicesCommand());
    line.addSubcommand(new DatabaseCommand());
    line.addSubcommand(new ProveCommand());
    line.addSubcommand(new AgentCommand());
    line.addSubcommand(new DoctorCommand());
    line.addSubcommand(new CompletionCommand());
    line.addSubcommand(new HelpCommand());
    line.getCommandSpec()
        .usageMessage()
        .footer(
            "",
            "Examples:",
            "  terrace run experiments/quickstart.yaml --out out",
            "  terrace analyze capture.pcapng",
            "  terrace doctor",
            "",
            "Every command explains itself with --help.");
    HelpText.fillLines(line);
    line.setExecutionExceptionHandler((failure, command, parsed) -> report(failure, command));
    line.setParameterExceptionHandler(explainingParameters());
    line.setCaseInsensitiveEnumValuesAllowed(true);
    return line;
  }

  private static int report(Exception failure, CommandLine command) throws Exception {
    if (!interruptEndsInput && isInterrupted(failure, ending)) {
      return INTERRUPTED;
    }
    if (failure instanceof TerraceException known) {
      command.getErr().println("terrace: " + known.getMessage());
      return known.code().exitCode();
    }
    String full = fullDisk(failure);
    if (full != null) {
      command.getErr().println("terrace: " + full);
      return ErrorCode.MACHINE_LACKS.exitCode();
    }
    throw failure;
  }

  /** The words of a failure to write since a disk, or what one may have of it, is full. */
  private static @Nullable String fullDisk(Throwable failure) {
    for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
      String words = String.valueOf(cause.getMessage());
      if (cause instanceof IOException && FULL.matcher(words).find()) {
        return words;
      }
    }
    return null;
  }

  /**
   * Whether a command failed because it is interrupted: then whoever interrupted it needs no other
   * reason. Bad input was bad before.
   *
   * @param ending reaches zero when the command is interrupted
   */
  static boolean isInterrupted(Exception failure, CountDownLatch ending)
      throws InterruptedException {
    boolean isOfInput =
        failure instanceof TerraceException known && known.code() == ErrorCode.BAD_INPUT;
    return ending.await(isOfInput ? 0 : INTERRUPT_WITHIN_MILLIS, TimeUnit.MILLISECONDS);
  }

  private static IParameterExceptionHandler explainingParameters() {
    return (ParameterException failure, String[] arguments) -> {
      CommandLine command = failure.getCommandLine();
      command.getErr().println("terrace: " + Mistakes.describe(failure));
      command.getErr().println("See " + command.getCommandSpec().qualifiedName() + " --help");
      return ErrorCode.BAD_INPUT.exitCode();
    };
  }
}
