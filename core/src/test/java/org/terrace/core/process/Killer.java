package org.terrace.core.process;

import java.io.IOException;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A program that kills by signals, run where no program of that name is. */
final class Killer {
  private static final int ENDED_WITHIN_SECONDS = 30;

  private Killer() {}

  /** Takes the seconds that all its processes sleep, and prints what became of the signals. */
  public static void main(String[] arguments) throws Exception {
    // Its grandchild belongs to nobody, and is known by its group alone.
    String orphan = "(sleep " + arguments[0] + " >/dev/null 2>&1 &)";
    var _ = ShortCommand.of("sh", "-c", orphan).run();
    ChildProcess child = ChildProcess.start(new ProcessBuilder("sleep", arguments[0]));
    String told = sent("KILL", child.pid());
    String unknown = sent("KILL; true", child.pid());
    System.out.println(told + ", " + unknown);
    // The keeper ends the others, but not before this program has ended.
    List<ProcessHandle> left =
        ProcessHandle.allProcesses()
            .filter(each ->
                List.of(arguments)
                    .equals(List.of(each.info().arguments().orElse(new String[] {""}))))
            .toList();
    for (ProcessHandle each : left) {
      var _ = each.onExit().get(ENDED_WITHIN_SECONDS, TimeUnit.SECONDS);
    }
  }

  private static String sent(String signal, long pid) {
    try {
      ChildProcess.signal(signal, pid);
      return "sent";
    } catch (IOException e) {
      return "refused";
    }
  }
}
