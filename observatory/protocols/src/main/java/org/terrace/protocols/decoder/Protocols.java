package org.terrace.protocols.decoder;

import java.util.function.Consumer;
import org.terrace.observation.Outcome;
import org.terrace.observation.Request;
import org.terrace.protocols.server.ServerTable;
import org.terrace.wire.statistics.Counters;
import org.terrace.wire.statistics.WireCount;
import org.terrace.wire.tcp.Connection;
import org.terrace.wire.tcp.Conversation;
import org.terrace.wire.tcp.Conversations;

/** The decoders of one capture, which make requests of its connections. Confined to one thread. */
public final class Protocols implements Conversations {
  final DecoderContext context;
  final ServerTable servers;
  final Consumer<Request> sink;

  /**
   * Decoders that give their requests to a sink.
   *
   * @param classesMax how many request classes are told apart
   */
  public Protocols(Counters counters, ServerTable servers, int classesMax, Consumer<Request> sink) {
    context = new DecoderContext(counters, classesMax);
    this.servers = servers;
    this.sink = sink;
  }

  @Override
  public Conversation open(Connection connection) {
    return new ProtocolConversation(this, connection);
  }

  void count(int requestClass, Outcome outcome) {
    context.counters.increment(WireCount.REQUESTS);
    if (requestClass == RequestClasses.OTHER_CLASS) {
      context.counters.increment(WireCount.OTHER_CLASS_REQUESTS);
    }
    switch (outcome) {
      case OK, ERROR -> {}
      case ABORTED -> context.counters.increment(WireCount.ABORTED_REQUESTS);
      case UNFINISHED -> context.counters.increment(WireCount.UNFINISHED_REQUESTS);
    }
  }
}
