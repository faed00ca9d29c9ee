package org.terrace.metrics;

import java.util.List;
import org.terrace.groups.Group;
import org.terrace.groups.GroupCounters;

/** The figures of a process's place in a group. */
final class GroupFigures {
  private GroupFigures() {}

  static List<RuntimeMetric> of(Group group) {
    return new Figures<>(() -> group)
        .gauge(
            "members", "members of the view, this one included", of -> of.view().members().size())
        .gauge(
            "expectedMembers",
            "members that the group is meant to have; 0 if that is not known",
            of -> of.view().expectedMembers().orElse(0))
        .flag(
            "belowExpected",
            "fewer members are seen than expected",
            of -> of.view().isBelowExpected())
        .flag(
            "minority",
            "fewer members are seen than are missing, so that this one is probably cut off",
            of -> of.view().isMinority())
        .flag(
            "excluded",
            "the others count this member as none of theirs",
            of -> of.exclusion().isPresent())
        .gauge(
            "protocolVersion",
            "version of the protocol that is spoken to all members",
            of -> of.protocol().toAll())
        .gauge(
            "protocolVersionOfOthers",
            "least of the latest versions that the other members understand",
            of -> of.protocol().leastOfOthers())
        .counter(
            "messagesSent",
            "messages sent, a multicast counting once",
            of -> counts(of).messagesSent())
        .counter(
            "messagesReceived", "messages given to handlers", of -> counts(of).messagesReceived())
        .counter("bytesSent", "bytes sent, a multicast counting once", of -> counts(of).bytesSent())
        .counter("malformed", "messages dropped as not understood", of -> counts(of).malformed())
        .counter(
            "forged", "messages dropped for a wrong authentication code", of -> counts(of).forged())
        .counter("replayed", "messages dropped as received before", of -> counts(of).replayed())
        .counter("oversized", "messages dropped as too large", of -> counts(of).oversized())
        .counter(
            "unknownSender",
            "messages dropped as from nobody in the group",
            of -> counts(of).unknownSender())
        .counter(
            "incompatible", "messages refused for another version", of -> counts(of).incompatible())
        .counter("undelivered", "messages that could not be sent", of -> counts(of).undelivered())
        .list();
  }

  private static GroupCounters counts(Group group) {
    return group.counters();
  }
}
