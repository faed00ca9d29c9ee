/** Packets: link, network and transport headers. */
package org.terrace.wire.packet;
