package org.terrace.seven.mafia;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;
import org.terrace.invocation.BusinessException;
import org.terrace.seven.application.Randoms;
import org.terrace.seven.application.Step;
import org.terrace.seven.application.Workload;

/**
 * The players of one game after another: they join, look at their roles, chat (a third of the
 * calls), look at the town and vote at random, until the game is over and the next is made.
 */
final class MafiaWorkload implements Workload<Mafia> {
  private static final int CHATS_PERCENT = 35;
  private static final int LOOKS_PERCENT = 10;
  private static final String CHAT = "I was at home.";

  private final RandomGenerator random;
  private final int replyBytes;
  private final Map<String, Role> roles = new LinkedHashMap<>();
  private final Deque<String> voters = new ArrayDeque<>();
  private long game;
  private long lastMessage;
  private List<String> living = List.of();
  private boolean stale = true;
  private boolean begun;
  private int joined;

  MafiaWorkload(long seed, int client, int replyBytes) {
    this.random = Randoms.ofClient(seed, client);
    this.replyBytes = replyBytes;
  }

  @Override
  public Step<Mafia, ?> next() {
    if (game == 0) {
      return Step.of("open", mafia -> mafia.open(replyBytes), reply -> begin(reply.value()));
    } else if (!begun) {
      return join();
    } else if (roles.size() < MafiaRules.CHARACTERS) {
      String name = nameOf(roles.size());
      return Step.of(
          "role",
          mafia -> mafia.role(game, name, replyBytes),
          reply -> roles.put(name, Role.valueOf(reply.text())));
    }
    int dice = random.nextInt(100);
    if (stale || voters.isEmpty() || dice < LOOKS_PERCENT) {
      return Step.of("look", mafia -> mafia.look(game, replyBytes), this::see);
    } else if (dice < LOOKS_PERCENT + CHATS_PERCENT) {
      return chat();
    }
    String voter = voters.removeFirst();
    String target = any(living);
    return new Step<>(
        "vote",
        mafia -> mafia.vote(game, voter, target, replyBytes),
        missing -> stale |= missing.value() == 0,
        refusal -> stale = true);
  }

  private Step<Mafia, ?> join() {
    String name = nameOf(joined);
    joined = (joined + 1) % MafiaRules.CHARACTERS;
    return new Step<>(
        "join",
        mafia -> mafia.join(game, name, replyBytes),
        missing -> begun = missing.value() == 0,
        this::noteJoin);
  }

  private Step<Mafia, ?> chat() {
    if (lastMessage > 0 && random.nextBoolean()) {
      long number = 1 + random.nextLong(lastMessage);
      return Step.of("message", mafia -> mafia.message(game, number, replyBytes));
    }
    String sender = any(living);
    return Step.of(
        "say",
        mafia -> mafia.say(game, sender, CHAT, replyBytes),
        number -> lastMessage = number.value());
  }

  private void begin(long number) {
    game = number;
    roles.clear();
    voters.clear();
    joined = 0;
    lastMessage = 0;
    begun = false;
    stale = true;
  }

  private void noteJoin(BusinessException refusal) {
    begun |= refusal.code().equals("game-begun");
  }

  private void see(Town town) {
    stale = false;
    living = town.living();
    voters.clear();
    switch (town.phase()) {
      case NIGHT ->
          living.stream().filter(name -> roles.get(name) == Role.MAFIOSO).forEach(voters::add);
      case DAY -> voters.addAll(living);
      case LOBBY -> begun = false;
      case OVER -> game = 0;
    }
  }

  private String any(List<String> names) {
    return names.get(random.nextInt(names.size()));
  }

  private static String nameOf(int index) {
    return "character-" + (index + 1);
  }
}
