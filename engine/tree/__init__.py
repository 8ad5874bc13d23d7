"""Game trees and public betting trees as flat arrays."""
