package org.terrace.groups;

/**
 * The counts of what a group sent, received and dropped since it was opened. Immutable.
 *
 * @param messagesSent messages handed to the network, a multicast counting once
 * @param messagesReceived messages given to handlers
 * @param bytesSent payload and framing handed to the network, a multicast counting once
 * @param malformed datagrams and frames dropped because they could not be understood
 * @param forged dropped because their authentication code or checksum did not match
 * @param replayed dropped because they had been received before
 * @param oversized dropped because they were larger than allowed
 * @param unknownSender dropped because they came from nobody in the group
 * @param incompatible greetings and other messages of a version of the protocol that the one who
 *     hears it does not understand, each of which was refused or is a refusal
 * @param undelivered messages that could not be sent, such as a full buffer or a refused connection
 */
public record GroupCounters(
    long messagesSent,
    long messagesReceived,
    long bytesSent,
    long malformed,
    long forged,
    long replayed,
    long oversized,
    long unknownSender,
    long incompatible,
    long undelivered) {

  /** The number of messages that were received and dropped. */
  public long dropped() {
    return malformed + forged + replayed + oversized + unknownSender + incompatible;
  }
}
