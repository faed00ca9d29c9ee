/** Updates as they travel between replicas, the log of recent ones, and how much may travel. */
package org.terrace.collections.structures.messages;
