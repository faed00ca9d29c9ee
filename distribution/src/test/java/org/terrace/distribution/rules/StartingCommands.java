package org.terrace.distribution.rules;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * The rule that every command which starts processes is among those that a test interrupts and
 * kills, in {@code commands.txt}.
 *
 * <p>A command starts processes if its class reaches {@code ProcessBuilder}, which says more than
 * is so: that a command is not to be killed stands there with its reason.
 */
final class StartingCommands {
  private static final String STARTS = "java.lang.ProcessBuilder";

  /** The words of a command that is killed, and the number of processes at which it may be. */
  record Killed(int processes, String words) {}

  private final List<Killed> killed = new ArrayList<>();
  private final Map<String, String> unkilled = new LinkedHashMap<>();

  StartingCommands(List<String> lines) {
    for (String line : lines) {
      if (line.matches("\\d+ \\S.*")) {
        String[] parts = line.split(" ", 2);
        killed.add(new Killed(Integer.parseInt(parts[0]), parts[1]));
      } else if (line.matches("unkilled [^:]+: \\S.*")) {
        String[] parts = line.substring("unkilled ".length()).split(": ", 2);
        unkilled.put(parts[0], parts[1]);
      } else if (!line.isBlank() && !line.startsWith("#")) {
        throw new IllegalArgumentException(
            "commands.txt: neither 'NUMBER WORDS' nor 'unkilled COMMAND: reason': " + line);
      }
    }
  }

  /**
   * The sentences that name commands about which the list is wrong or silent.
   *
   * @param commands by the words of a command, its class
   * @param root the class that knows all commands, through which none reaches another
   * @param uses by class, the classes that it names
   */
  List<String> breaches(Map<String, String> commands, String root, Map<String, Set<String>> uses) {
    List<String> breaches = new ArrayList<>();
    Map<String, String> unneeded = new TreeMap<>(unkilled);
    for (String command : new TreeSet<>(commands.keySet())) {
      boolean starts = startsProcesses(commands.get(command), root, uses);
      boolean isKilled = killed.stream().anyMatch(each -> isOf(each, command));
      if (starts && !isKilled && unneeded.remove(command) == null) {
        breaches.add("terrace " + command + " starts processes, and commands.txt kills it not");
      } else if (!starts && isKilled) {
        breaches.add("terrace " + command + " starts none, and commands.txt kills it");
      }
    }
    unneeded
        .keySet()
        .forEach(command -> breaches.add("commands.txt: nothing needs 'unkilled " + command + "'"));
    for (Killed each : killed) {
      if (commands.keySet().stream().noneMatch(command -> isOf(each, command))) {
        breaches.add("commands.txt: there is no such command: terrace " + each.words());
      }
    }
    return breaches;
  }

  private static boolean isOf(Killed killed, String command) {
    return (killed.words() + " ").startsWith(command + " ");
  }

  private static boolean startsProcesses(String type, String root, Map<String, Set<String>> uses) {
    Set<String> seen = new TreeSet<>(Set.of(type, root));
    Deque<String> open = new ArrayDeque<>(List.of(type));
    while (!open.isEmpty()) {
      for (String named : uses.getOrDefault(open.poll(), Set.of())) {
        if (named.equals(STARTS)) {
          return true;
        }
        if (seen.add(named)) {
          open.add(named);
        }
      }
    }
    return false;
  }
}
