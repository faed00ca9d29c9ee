/**
 * Live capture: packets of one network interface into a pcapng file, by the kernel's packet ring or
 * by {@code tcpdump} and {@code dumpcap}, and the rights that takes.
 */
package org.terrace.capture;
